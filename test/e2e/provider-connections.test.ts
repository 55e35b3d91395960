import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { LiveAssistantMessageEvent } from "../../src/core/types.js";
import { type ConnectOptions, connect } from "../../src/providers/connect.js";

/** One for each test: connections that are kept would come from the test before. */
let server: Server;
let baseUrl: string;
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    answer(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const context = { messages: [{ role: "user" as const, content: "hi", timestamp: 0 }] };

function ask(world: ConnectOptions["world"] = {}, signal?: AbortSignal) {
  const model = connect("anthropic/m", { apiKey: "k", baseUrl, maxRetries: 0, world });
  return model.stream(context, signal === undefined ? {} : { signal });
}

const deltas = ["How ", "do ", "you ", "do?"];
const payloads = [
  { type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", content: [] } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ...deltas.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" } },
  { type: "message_stop" },
];
const stream = payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join("");

test("the message under construction is never ahead of the events, though all came at once", async () => {
  answer = (response) => response.end(stream);
  const texts: string[] = [];
  for await (const event of ask()) {
    if (event.type !== "text_delta") continue;
    const [block] = event.partial.content;
    if (block?.type === "text") texts.push(block.text);
  }
  expect(texts).toEqual(["How ", "How do ", "How do you ", "How do you do?"]);
});

test("after an abort comes the terminal event, though the rest of the answer is there", async () => {
  answer = (response) => response.end(stream);
  const controller = new AbortController();
  const seen: LiveAssistantMessageEvent[] = [];
  for await (const event of ask({}, controller.signal)) {
    seen.push(event);
    if (event.type === "text_delta") controller.abort();
  }
  expect(seen.map(({ type }) => type)).toEqual(["start", "text_start", "text_delta", "error"]);
  expect(seen.at(-1)).toMatchObject({
    reason: "aborted",
    error: { stopReason: "aborted", content: [{ type: "text", text: "How " }] },
  });
});

test("who takes long over the events is not told that none came", async () => {
  let time = 0;
  let barks: (() => void)[] = [];
  const after = (_ms: number, callback: () => void) => {
    barks.push(callback);
    return () => undefined;
  };
  answer = (response) => response.end(stream);
  const types: string[] = [];
  for await (const { type } of ask({ now: () => time, after })) {
    types.push(type);
    time += 1_000_000;
    const due = barks;
    barks = [];
    if (type !== "done") for (const bark of due) bark();
  }
  expect(types.at(-1)).toBe("done");
  expect(types).toHaveLength(8);
});

test("a connection whose body ends after the answer is used again", async () => {
  const sockets: (Socket | null)[] = [];
  let open: ServerResponse | undefined;
  answer = (response) => {
    sockets.push(response.socket);
    open = response;
    response.write(stream);
  };
  for (let call = 0; call < 3; call++) {
    let lingering = false;
    let isRead = () => {};
    const read = new Promise<void>((resolve) => {
      isRead = resolve;
    });
    const after = (_ms: number, _callback: () => void) => {
      const isLinger = lingering;
      return () => {
        if (isLinger) isRead();
      };
    };
    for await (const event of ask({ after })) lingering = event.type === "done";
    open?.end();
    await read;
    // The client takes one turn to put the connection back.
    await setImmediate();
  }
  expect(sockets).toHaveLength(3);
  expect(new Set(sockets).size).toBe(1);
});

test("a body that does not end after the answer is given up", async () => {
  let closed: Promise<unknown> | undefined;
  answer = (response) => {
    closed = once(response, "close");
    response.write(stream);
  };
  let last: { ms: number; callback: () => void } | undefined;
  const after = (ms: number, callback: () => void) => {
    last = { ms, callback };
    return () => undefined;
  };
  for await (const _ of ask({ after }));
  expect(last?.ms).toBe(1000);
  last?.callback();
  expect(closed).toBeDefined();
  await closed;
});

test("a loop that is left before the answer is whole closes the connection", async () => {
  let closed: Promise<unknown> | undefined;
  answer = (response) => {
    closed = once(response, "close");
    response.write(stream.slice(0, stream.indexOf("do?")));
  };
  const seen: string[] = [];
  for await (const event of ask()) {
    seen.push(event.type);
    if (event.type === "text_delta") break;
  }
  await closed;
  expect(seen).toEqual(["start", "text_start", "text_delta"]);
});
