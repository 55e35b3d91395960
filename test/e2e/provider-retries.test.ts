import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { emptyUsage } from "../../src/core/message/usage.js";
import type { AssistantMessage } from "../../src/core/types.js";
import type { ApiName } from "../../src/dialects/registry.js";
import { connect } from "../../src/providers/connect.js";
import { modelServer, models, type Reply } from "../fakes/model-server.js";

const provider = modelServer();
const apis: ApiName[] = ["anthropic", "openai-chat", "openai-responses", "google", "ollama", "bedrock"];
const context = { messages: [{ role: "user" as const, content: "hi", timestamp: 1 }] };
const message: AssistantMessage = {
  role: "assistant",
  content: [{ type: "text", text: "Hello." }],
  api: "",
  provider: "",
  model: "",
  usage: emptyUsage(),
  stopReason: "stop",
  timestamp: 1,
};

/** A world in which waits are over at once, and noted. */
function hurried(waits: number[]) {
  const after = (ms: number, callback: () => void) => {
    // The watchdog and the end of a body wait longer; they are not for this.
    if (ms === IDLE_MS || ms === 1000) return () => undefined;
    waits.push(ms);
    queueMicrotask(callback);
    return () => undefined;
  };
  return { after, random: () => 0 };
}
const IDLE_MS = 120_000;

describe.each(apis)("%s", (api) => {
  const ask = async (replies: readonly Reply[]) => {
    const { refused } = provider.serve(api, replies);
    const waits: number[] = [];
    const model = connect(`local/${models[api].id}`, {
      api,
      baseUrl: provider.url,
      apiKey: "k",
      world: hurried(waits),
    });
    const { content } = await model.complete(context, { maxTokens: 1024 });
    return { content: content.map((block) => block.type === "text" && block.text), waits, refused };
  };

  test("429 that says how long to wait", async () => {
    expect(await ask([{ status: 429, headers: { "retry-after": "7" } }, message])).toEqual({
      content: ["Hello."],
      waits: [7000],
      refused: [],
    });
  });

  test("429 that does not, then 500, then success", async () => {
    expect(await ask([{ status: 429 }, { status: 500 }, message])).toEqual({
      content: ["Hello."],
      waits: [250, 500],
      refused: [],
    });
  });

  test("500 for ever", async () => {
    await expect(ask([{ status: 500 }, { status: 500 }, { status: 500 }])).rejects.toMatchObject({
      code: "provider/http",
      details: { status: 500, retryable: true },
    });
  });
});

describe("before the answer begins", () => {
  const serve = async (...answers: ((response: ServerResponse) => void)[]) => {
    let asked = 0;
    const server = createServer((_, response) => answers[asked++]?.(response)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const close = () => {
      server.closeAllConnections();
      server.close();
    };
    return {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      asked: () => asked,
      close,
    };
  };

  test("a connection that breaks off after a keep-alive is tried again", async () => {
    const type = { "content-type": "application/x-ndjson" };
    const server = await serve(
      (response) => response.writeHead(200, type).write("\n", () => response.destroy()),
      (response) =>
        response
          .writeHead(200, type)
          .end('{"message":{"content":"Hello."},"done":true,"done_reason":"stop"}\n'),
    );
    const model = connect("ollama/m", { baseUrl: server.baseUrl, world: hurried([]) });
    expect((await model.complete(context)).content).toEqual([{ type: "text", text: "Hello." }]);
    expect(server.asked()).toBe(2);
    server.close();
  });

  test("a server that takes the request and never answers has stalled", async () => {
    let bark: (() => void) | undefined;
    let time = 0;
    const server = await serve(() => {
      time = 5000;
      bark?.();
    });
    const after = (_ms: number, callback: () => void) => {
      bark = callback;
      return () => undefined;
    };
    const model = connect("ollama/m", {
      baseUrl: server.baseUrl,
      idleMs: 5000,
      world: { now: () => time, after },
    });
    await expect(model.complete(context)).rejects.toMatchObject({
      code: "stream/stalled",
      message: "the provider sent no content for 5 s",
    });
    expect(server.asked()).toBe(1);
    server.close();
  });

  test("waiting to try again is no stall", async () => {
    let time = 0;
    const barks: (() => void)[] = [];
    const server = await serve(
      (response) => response.writeHead(429, { "retry-after": "30" }).end(),
      (response) =>
        response.writeHead(200).end('{"message":{"content":"Hello."},"done":true,"done_reason":"stop"}\n'),
    );
    const after = (ms: number, callback: () => void) => {
      if (ms !== 30_000) barks.push(callback);
      else {
        time += ms;
        for (const bark of barks.splice(0)) bark();
        queueMicrotask(callback);
      }
      return () => undefined;
    };
    const model = connect("ollama/m", {
      baseUrl: server.baseUrl,
      idleMs: 5000,
      world: { now: () => time, after },
    });
    expect((await model.complete(context)).stopReason).toBe("stop");
    server.close();
  });
});
