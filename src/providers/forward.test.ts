import { describe, expect, test } from "vitest";
import { SteppedWorld } from "../../test/fakes/stepped-world.js";
import { skimmedBytes } from "../framing/sse-skim.js";
import { connect } from "./connect.js";
import { type ForwardedBatch, forwardedHeaders } from "./forward.js";

describe("a client's headers", () => {
  const address = { path: () => "/", clientHeaders: { "x-beta": "list", "x-version": "one" } as const };

  test.each<
    [string, Record<string, string | string[]>, Record<string, string | null>, Record<string, string>]
  >([
    ["only those that are listed", { "x-beta": "a", cookie: "c" }, {}, { "x-beta": "a" }],
    ["a repeated one is a list", { "x-beta": ["a", "b"] }, {}, { "x-beta": "a,b" }],
    [
      "a list is joined with the configured one",
      { "x-beta": "a, b" },
      { "X-Beta": "b" },
      { "x-beta": "b,a" },
    ],
    ["the configured one of one wins", { "x-version": "1" }, { "x-version": "2" }, { "x-version": "2" }],
    ["one that is configured as null is not sent", { "x-beta": "a" }, { "x-beta": null }, {}],
  ])("%s", (_, given, configured, expected) => {
    expect(forwardedHeaders(address, given, configured)).toEqual(expected);
  });
});

/** A provider that sends each of these texts as a chunk. */
function answering(...chunks: string[]) {
  const sent: { url: string; body: string }[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    sent.push({ url, body: String(init.body) });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const text of chunks) controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  return { sent, fetch };
}

async function all(batches: AsyncIterable<ForwardedBatch>): Promise<ForwardedBatch[]> {
  const list: ForwardedBatch[] = [];
  for await (const batch of batches) list.push(batch);
  return list;
}

const delta = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
/** As many events as are read before any is skimmed. */
const empty = Array.from({ length: 8 }, () => 'data: {"choices":[]}\n\n');
const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
const done = "data: [DONE]\n\n";

function textOf(payload: ForwardedBatch["payloads"][number]): string {
  return "shape" in payload ? new TextDecoder().decode(skimmedBytes(payload)) : `data: ${payload.data}\n\n`;
}

test.each([
  [false, ["start", "text_start", "text_delta", "text_delta", "text_end", "done"]],
  [true, ["start", "text_start", "text_delta", "text_end", "done"]],
])("payloads are complete, skimmed or not: %s", async (skim, types) => {
  const { fetch, sent } = answering(...empty, delta("a"), delta("b"), finish + done);
  const model = connect("acme/m", { baseUrl: "http://x.test", apiKey: "k", fetch });
  const batches = await all(model.forward({ model: "acme/m", messages: [] }, { skim }));
  expect(sent).toEqual([
    {
      url: "http://x.test/chat/completions",
      body: '{"model":"m","messages":[],"stream":true,"stream_options":{"include_usage":true}}',
    },
  ]);
  expect(batches.flatMap(({ payloads }) => payloads.map(textOf))).toEqual([
    ...empty,
    delta("a"),
    delta("b"),
    finish,
  ]);
  expect(batches.at(-1)?.last?.data).toBe("[DONE]");
  expect(batches.flatMap(({ events }) => events.map(({ type }) => type))).toEqual(types);
});

test("an error among skimmed payloads is read", async () => {
  const { fetch } = answering(
    ...empty,
    delta("a"),
    `${delta("b")}data: {"error":{"message":"no"}}\n\n${delta("c")}`,
  );
  const model = connect("acme/m", { baseUrl: "http://x.test", apiKey: "k", fetch });
  const batches = await all(model.forward({ messages: [] }, { skim: true }));
  expect(batches.at(-1)?.events.at(-1)).toMatchObject({
    type: "error",
    error: { errorMessage: "the provider failed: no" },
  });
});

test("skimmed content keeps a stream alive, and keep-alives do not", async () => {
  const world = new SteppedWorld();
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  const fetch = async (_: string, { signal }: RequestInit) => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        body = controller;
        signal?.addEventListener("abort", () => controller.error(signal.reason));
        controller.enqueue(new TextEncoder().encode(empty.join("") + delta("a")));
      },
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  };
  const model = connect("acme/m", { baseUrl: "http://x.test", apiKey: "k", fetch, world, idleMs: 1000 });
  const batches = model.forward({ messages: [] }, { skim: true });
  const after = async (ms: number, text: string): Promise<string[]> => {
    const next = batches.next();
    await new Promise(setImmediate);
    world.pass(ms);
    if (text !== "") body?.enqueue(new TextEncoder().encode(text));
    const batch: ForwardedBatch | undefined = (await next).value;
    const end = batch?.events.at(-1);
    if (end?.type === "error") return [String(end.error.errorMessage)];
    return batch?.payloads.map(textOf) ?? [];
  };
  await batches.next();
  for (let count = 0; count < 5; count++) {
    expect(await after(900, delta("b"))).toEqual([delta("b")]);
  }
  expect(await after(900, ": keep-alive\n\n")).toEqual([]);
  expect(await after(200, "")).toEqual(["the provider sent no content for 1 s"]);
});

test("a connector has no API to forward to", async () => {
  await expect(all(connect("demo/echo").forward({}))).rejects.toMatchObject({ code: "model/invalid" });
});
