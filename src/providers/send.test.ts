import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { textOf } from "./payloads.js";
import { post, withRetries } from "./send.js";
import type { World } from "./world.js";

type Answer = Response | Error;

/** A world whose network gives these answers one after the other, and whose clock runs when somebody waits. */
function worldOf(...answers: Answer[]): { world: World; waits: number[]; sent: () => number } {
  const waits: number[] = [];
  let asked = 0;
  const world: World = {
    fetch: async () => {
      const answer = answers[asked++];
      if (answer instanceof Error) throw answer;
      return answer ?? new Response("", { status: 500 });
    },
    now: () => Date.parse("2026-01-01T00:00:00Z"),
    random: () => 1,
    after: (ms, callback) => {
      waits.push(ms);
      queueMicrotask(callback);
      return () => undefined;
    },
    env: () => undefined,
    readFile: async () => undefined,
  };
  return { world, waits, sent: () => asked };
}

const request = { url: "http://127.0.0.1/", headers: {}, body: "{}" };
const policy = { maxRetries: 2, maxWaitMs: 60_000 };
const go = (world: World, signal = new AbortController().signal) =>
  withRetries(() => post(request, world, signal), policy, world, signal);
const ok = () => new Response("fine");
const error = (status: number, body: object | string = {}, headers: Record<string, string> = {}) =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });

describe("what is tried again", () => {
  test.each([408, 409, 429, 500, 502, 503, 529])("HTTP %i, then success", async (status) => {
    const { world, sent } = worldOf(error(status), ok());
    expect(await textOf(await go(world), 100)).toBe("fine");
    expect(sent()).toBe(2);
  });
  test("a network failure, then success", async () => {
    const { world, waits } = worldOf(new TypeError("fetch failed"), ok());
    expect((await go(world)).ok).toBe(true);
    expect(waits).toEqual([500]);
  });
  test("waits double, with chance in them, and then it gives up", async () => {
    const { world, waits, sent } = worldOf(error(500), error(500), error(500));
    await expect(go(world)).rejects.toMatchObject({
      code: "provider/http",
      details: { status: 500, retryable: true },
    });
    expect(waits).toEqual([500, 1000]);
    expect(sent()).toBe(3);
  });
  test.each([
    ["retry-after-ms", "1234", 1234],
    ["retry-after", "7", 7000],
    ["retry-after", "Thu, 01 Jan 2026 00:00:05 GMT", 5000],
  ])("%s: %s is honoured", async (name, value, ms) => {
    const { world, waits } = worldOf(error(429, {}, { [name]: value }), ok());
    await go(world);
    expect(waits).toEqual([ms]);
  });
  test("x-should-retry decides", async () => {
    const yes = worldOf(error(400, {}, { "x-should-retry": "true" }), ok());
    expect((await go(yes.world)).ok).toBe(true);
    const no = worldOf(error(500, {}, { "x-should-retry": "false" }), ok());
    await expect(go(no.world)).rejects.toMatchObject({ details: { retryable: false } });
  });
});

describe("what is not", () => {
  test.each([
    [400, {}, "provider/http"],
    [401, {}, "provider/http"],
    [404, {}, "provider/http"],
    [402, {}, "provider/quota"],
    [
      429,
      { error: { code: "insufficient_quota", message: "You exceeded your current quota" } },
      "provider/quota",
    ],
    [
      400,
      { error: { message: "prompt is too long: 210000 tokens > 200000 maximum" } },
      "provider/context-overflow",
    ],
    [400, { error: { code: "context_length_exceeded", message: "too long" } }, "provider/context-overflow"],
  ])("HTTP %i %j is %s", async (status, body, code) => {
    const { world, sent } = worldOf(error(status, body), ok());
    await expect(go(world)).rejects.toMatchObject({ code, details: { status, retryable: false } });
    expect(sent()).toBe(1);
  });
  test("a wait of more than a minute", async () => {
    const { world, sent } = worldOf(error(429, {}, { "retry-after": "61" }), ok());
    await expect(go(world)).rejects.toMatchObject({ details: { status: 429, retryAfterMs: 61_000 } });
    expect(sent()).toBe(1);
  });
});

test.each([
  [
    "Anthropic",
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    "Overloaded",
    "overloaded_error",
  ],
  [
    "OpenAI",
    { error: { message: "Bad key", type: "invalid_request_error", code: "invalid_api_key" } },
    "Bad key",
    "invalid_api_key",
  ],
  [
    "Google",
    [{ error: { code: 400, message: "Bad", status: "INVALID_ARGUMENT" } }],
    "Bad",
    "INVALID_ARGUMENT",
  ],
  ["Ollama", { error: "model not found" }, "model not found", undefined],
  ["a proxy", "<html>", "<html>", undefined],
])("the words of %s are passed on", async (_, body, message, code) => {
  const { world } = worldOf(error(400, body));
  const failure: unknown = await go(world).catch((caught: unknown) => caught);
  expect(failure).toMatchObject({
    message: `HTTP 400: ${message}`,
    details: { status: 400, retryable: false, ...(code === undefined ? {} : { code }) },
  });
});

test("a wait ends when the caller aborts", async () => {
  const { world } = worldOf(error(500), ok());
  const controller = new AbortController();
  const stuck: World = { ...world, after: () => () => undefined };
  const waiting = go(stuck, controller.signal);
  queueMicrotask(() => controller.abort(new Error("enough")));
  await expect(waiting).rejects.toThrow("enough");
});

describe("a redirect is not followed, so that neither key nor conversation reach another server", () => {
  test.each([301, 302, 303, 307, 308])("HTTP %i", async (status) => {
    const location = "https://elsewhere.example/v1?secret=1";
    const { world, sent } = worldOf(error(status, "", { location }), ok());
    await expect(go(world)).rejects.toMatchObject({
      code: "provider/http",
      message: `HTTP ${status}: the server redirects to https://elsewhere.example, and redirects are not followed`,
      details: { status, retryable: false },
    });
    expect(sent()).toBe(1);
  });

  test("over a real connection", async () => {
    const paths: string[] = [];
    const server = createServer(({ url = "" }, response) => {
      paths.push(url);
      response.writeHead(307, { location: "/final" }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const url = `http://127.0.0.1:${address.port}/first`;
    const { world } = worldOf();
    const real = { ...world, fetch: (to: string, init: RequestInit) => fetch(to, init) };
    await expect(post({ ...request, url }, real, new AbortController().signal)).rejects.toMatchObject({
      code: "provider/http",
    });
    server.close();
    expect(paths).toEqual(["/first"]);
  });
});

describe("a signature", () => {
  test("is made for each attempt, and what is sent is what was signed", async () => {
    const sent: string[] = [];
    const { world } = worldOf();
    const fetch = async (url: string, { headers }: RequestInit) => {
      sent.push(`${url} ${new Headers(headers).get("authorization")}`);
      return sent.length < 3 ? error(503) : ok();
    };
    let attempt = 0;
    const sign = async (unsigned: typeof request) => ({
      ...unsigned,
      headers: { authorization: `Signature ${++attempt}` },
    });
    const { signal } = new AbortController();
    const listening = { ...world, fetch };
    await withRetries(() => post({ ...request, sign }, listening, signal), policy, listening, signal);
    expect(sent).toEqual([
      "http://127.0.0.1/ Signature 1",
      "http://127.0.0.1/ Signature 2",
      "http://127.0.0.1/ Signature 3",
    ]);
  });
});
