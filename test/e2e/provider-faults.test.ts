import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AssistantMessage, events, type LiveAssistantMessageEvent } from "../../src/core/index.js";
import type { ApiName } from "../../src/dialects/registry.js";
import { apiNames, loadApi } from "../../src/dialects/registry.js";
import { formatStreamMessage } from "../../src/framing/event-stream.js";
import { formatEvent } from "../../src/framing/event-stream-payload.js";
import { type ConnectOptions, connect } from "../../src/providers/connect.js";
import { wireFraming } from "../fakes/wire-framing.js";
import { isSoak } from "../generate/runs.js";

/** Answers the next request in whatever way a test wants. */
let answer: (response: ServerResponse) => void;
let server: Server;
let baseUrl: string;

beforeAll(async () => {
  // A connection that rests while the machine is busy must not be closed under the next request.
  server = createServer({ keepAliveTimeout: 0 }, (_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const message: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "text", text: "Voilà 😀" },
    { type: "toolCall", id: "call_1", name: "read", arguments: { path: "é.ts" } },
  ],
  api: "",
  provider: "",
  model: "",
  usage: {
    input: 3,
    output: 5,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 8,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "toolUse",
  timestamp: 1,
};

/** The stream by which a provider would send an answer, as bytes. */
async function streamOf(
  name: ApiName,
  one: AssistantMessage,
  cut = (text: string) => text.match(/.{1,4}/gsu) ?? [],
) {
  const api = await loadApi(name);
  const writer = api.streamWriter();
  const { type, frame } = wireFraming(api.framing);
  const frames = [...events(one, cut)].flatMap((event) => writer.push(event)).map(frame);
  return { bytes: Buffer.concat(frames), frames, type };
}

function model(api: ApiName, options: Partial<ConnectOptions> = {}) {
  const world = { now: () => 7, ...options.world };
  return connect("local/m", { baseUrl, api, apiKey: "k", maxRetries: 0, ...options, world });
}

const context = { messages: [{ role: "user" as const, content: "hi", timestamp: 1 }] };

async function collect(
  stream: AsyncIterable<LiveAssistantMessageEvent>,
): Promise<LiveAssistantMessageEvent[]> {
  const list: LiveAssistantMessageEvent[] = [];
  for await (const event of stream) list.push(event);
  return list;
}

/** A body that breaks off after these bytes. */
function cutOff(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start: (body) => body.enqueue(bytes),
    pull: (body) => body.error(new TypeError("gone")),
  });
}

/** How each API says in mid-answer that it failed. */
const errors: Record<ApiName, string | Uint8Array> = {
  anthropic:
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
  "openai-chat": 'data: {"error":{"message":"Overloaded","type":"server_error"}}\n\n',
  "openai-responses": 'data: {"type":"error","code":"server_error","message":"Overloaded","param":null}\n\n',
  google: 'data: {"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE"}}\n\n',
  ollama: '{"error":"Overloaded"}\n',
  bedrock: formatEvent("serviceUnavailableException", { message: "Overloaded" }),
};

const EVENT_STREAM = "application/vnd.amazon.eventstream";

/** What is not JSON, and how it is named, in each type of stream. */
const junks: Record<string, { junk: string | Uint8Array; shown?: string }> = {
  "text/event-stream": { junk: "data: {oops\n\n" },
  "application/x-ndjson": { junk: "{oops\n" },
  [EVENT_STREAM]: {
    junk: formatStreamMessage({
      headers: new Map([[":event-type", "metadata"]]),
      payload: new TextEncoder().encode("{oops"),
    }),
    shown: '{"metadata":{oops}',
  },
};

/** What keeps a connection open without saying anything. */
const keepAlives: Record<string, string | Uint8Array> = {
  "text/event-stream": ": ping\n\n",
  "application/x-ndjson": "\n",
  [EVENT_STREAM]: formatEvent("ping", {}),
};

/** After how many bytes to cut: after any in a soak; otherwise around the first frame and at the end, and a few between. */
function* cuts(length: number, begins: number): Generator<number> {
  const isNear = (at: number) => at < begins + 20 || at > length - 40;
  for (let at = 0; at < length; at += isSoak || isNear(at) ? 1 : 11) yield at;
}

const isTerminal = ({ type }: LiveAssistantMessageEvent) => type === "done" || type === "error";

describe.each(apiNames)("%s", (api) => {
  test("a whole stream gives the answer, however it is chunked", async () => {
    const { bytes, type } = await streamOf(api, message);
    for (const size of [1, 3, 64, bytes.length]) {
      answer = (response) => {
        response.writeHead(200, { "content-type": type });
        for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
        response.end();
      };
      const complete = await model(api).complete(context);
      const [text, call] = complete.content;
      expect(text).toMatchObject({ type: "text", text: "Voilà 😀" });
      expect(call).toMatchObject({ type: "toolCall", name: "read", arguments: { path: "é.ts" } });
      expect(complete).toMatchObject({ stopReason: "toolUse", provider: "local", model: "m", timestamp: 7 });
      expect(complete.usage).toMatchObject({ input: 3, output: 5 });
    }
  });

  test("a connection that is cut at any byte: thrown before the answer began, else one terminal event", async () => {
    const { bytes, frames, type } = await streamOf(api, message);
    const begins = frames[0]?.length ?? 0;
    const seen = { thrown: 0, errors: 0, done: 0 };
    for (const length of cuts(bytes.length, begins)) {
      const fetch = async () =>
        new Response(cutOff(bytes.subarray(0, length)), { headers: { "content-type": type } });
      const list: LiveAssistantMessageEvent[] = [];
      try {
        for await (const event of model(api, { fetch }).stream(context)) list.push(event);
      } catch (error) {
        seen.thrown++;
        expect(length).toBeLessThan(begins);
        expect(list).toEqual([]);
        expect(error).toMatchObject({ code: "provider/network", details: { retryable: true } });
        continue;
      }
      const last = list.at(-1);
      expect(list.filter(isTerminal)).toHaveLength(1);
      if (last?.type === "done") {
        seen.done++;
        expect(last.message.content).toHaveLength(2);
        continue;
      }
      seen.errors++;
      expect(last).toMatchObject({
        type: "error",
        reason: "error",
        error: {
          stopReason: "error",
          errorMessage: "the connection broke off: gone",
          ext: { failure: { code: "provider/network", retryable: true } },
        },
      });
      const [first] = last?.type === "error" ? last.error.content : [];
      if (first?.type === "text") expect("Voilà 😀".startsWith(first.text)).toBe(true);
    }
    expect(seen.thrown).toBeGreaterThan(10);
    expect(seen.errors).toBeGreaterThan(seen.done);
  });

  test("a socket that is closed in mid-answer is the terminal event, with what had arrived", async () => {
    const { frames, type } = await streamOf(api, message);
    let open: ServerResponse | undefined;
    answer = (response) => {
      open = response;
      response.writeHead(200, { "content-type": type });
      response.write(Buffer.concat(frames.slice(0, Math.ceil(frames.length / 2))));
    };
    let last: LiveAssistantMessageEvent | undefined;
    for await (const event of model(api).stream(context)) {
      last = event;
      if (event.type === "text_delta") open?.destroy();
    }
    expect(last).toMatchObject({
      type: "error",
      error: { ext: { failure: { code: "provider/network" } } },
    });
    expect(last?.type === "error" ? last.error.content[0] : undefined).toMatchObject({ type: "text" });
  });

  test("aborted at any event, it stops there", async () => {
    const { bytes, type } = await streamOf(api, message);
    answer = (response) => {
      response.writeHead(200, { "content-type": type });
      response.end(bytes);
    };
    const { length } = await collect(model(api).stream(context));
    for (let stop = 1; stop < length; stop++) {
      const controller = new AbortController();
      let count = 0;
      let last: LiveAssistantMessageEvent | undefined;
      for await (const event of model(api).stream(context, { signal: controller.signal })) {
        last = event;
        if (++count === stop) controller.abort();
      }
      expect(last === undefined ? "" : last.type).toMatch(/^(error|done)$/);
    }
  });

  test("aborted while nothing comes, it says so, with what had arrived", async () => {
    const { frames, type } = await streamOf(api, message);
    answer = (response) => {
      response.writeHead(200, { "content-type": type });
      response.write(Buffer.concat(frames.slice(0, Math.ceil(frames.length / 2))));
    };
    const controller = new AbortController();
    let last: LiveAssistantMessageEvent | undefined;
    for await (const event of model(api).stream(context, { signal: controller.signal })) {
      last = event;
      if (event.type === "text_delta") controller.abort();
    }
    expect(last).toMatchObject({ type: "error", reason: "aborted", error: { stopReason: "aborted" } });
    expect(last?.type === "error" ? last.error.content[0] : undefined).toMatchObject({ type: "text" });
  });

  test("gzip is read like anything else", async () => {
    const { bytes, type } = await streamOf(api, message);
    answer = (response) => {
      response.writeHead(200, { "content-type": type, "content-encoding": "gzip" });
      response.end(gzipSync(bytes));
    };
    expect((await model(api).complete(context)).stopReason).toBe("toolUse");
  });

  test("a megabyte of arguments arrives whole", async () => {
    const text = 'x\n"é"'.repeat(170_000);
    const call = { type: "toolCall" as const, id: "c", name: "write", arguments: { text } };
    const { bytes, type } = await streamOf(
      api,
      { ...message, content: [call] },
      (all) => all.match(/.{1,2000}/gsu) ?? [],
    );
    answer = (response) => {
      response.writeHead(200, { "content-type": type });
      response.end(bytes);
    };
    const [block] = (await model(api).complete(context)).content;
    expect(block?.type === "toolCall" && block.arguments["text"] === text).toBe(true);
  });

  test("what is not JSON in mid-stream is the terminal event, and what came before it stays", async () => {
    const { frames, type } = await streamOf(api, message);
    const half = frames.slice(0, Math.max(2, Math.floor(frames.length / 2)));
    const { junk, shown = "{oops" } = junks[type] ?? { junk: "" };
    answer = (response) => {
      response.writeHead(200, { "content-type": type });
      response.end(Buffer.concat([...half, Buffer.from(junk)]));
    };
    const last = (await collect(model(api).stream(context))).at(-1);
    expect(last).toMatchObject({
      type: "error",
      error: {
        errorMessage: `the stream contains a payload that is not JSON: ${shown}`,
        ext: { failure: { code: "provider/bad-response" } },
      },
    });
  });

  test("an error in mid-stream is the terminal event, and what came before it stays", async () => {
    const { frames, type } = await streamOf(api, message);
    const half = frames.slice(0, Math.max(2, Math.floor(frames.length / 2)));
    answer = (response) => {
      response.writeHead(200, { "content-type": type });
      response.end(Buffer.concat([...half, Buffer.from(errors[api])]));
    };
    const complete = await model(api).complete(context);
    expect(complete).toMatchObject({ stopReason: "error", ext: { failure: { code: "provider/failed" } } });
    expect(complete.errorMessage).toContain("Overloaded");
    expect(complete.content[0]).toMatchObject({ type: "text" });
  });

  test("an answer to more than fits is marked", async () => {
    const { bytes, type } = await streamOf(api, message);
    answer = (response) => {
      response.writeHead(200, { "content-type": type });
      response.end(bytes);
    };
    const complete = await model(api, { card: { contextWindow: 2 } }).complete(context);
    expect(complete.ext).toMatchObject({ failure: { code: "provider/context-overflow" } });
  });

  test("a page instead of a stream is told from an answer", async () => {
    answer = (response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html>");
    };
    await expect(model(api).complete(context)).rejects.toMatchObject({
      code: "provider/bad-response",
      details: { retryable: false },
    });
  });

  test("keep-alives do not hide that nothing comes", async () => {
    const { frames, type } = await streamOf(api, message);
    const alive = keepAlives[type] ?? "";
    let open: ServerResponse | undefined;
    answer = (response) => {
      open = response;
      response.writeHead(200, { "content-type": type });
      response.write(Buffer.concat([...frames.slice(0, 3), Buffer.from(alive)]));
    };
    let time = 0;
    let first: (() => void) | undefined;
    // Time passes while keep-alives are written, once something has arrived.
    const world = {
      now: () => time,
      after: (ms: number, bark: () => void) => {
        const tick = () => {
          time += ms;
          bark();
        };
        if (first === undefined) first = tick;
        else open?.write(alive, tick);
        return () => undefined;
      },
    };
    const list: LiveAssistantMessageEvent[] = [];
    for await (const event of model(api, { idleMs: 1000, world }).stream(context)) {
      if (list.push(event) === 1) open?.write(alive, first);
    }
    expect(list.at(-1)).toMatchObject({
      type: "error",
      reason: "error",
      error: {
        errorMessage: "the provider sent no content for 1 s",
        ext: { failure: { code: "stream/stalled" } },
      },
    });
  });
});
