import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type GenerateResponse, Ollama } from "ollama";
import { afterEach, describe, expect, test } from "vitest";
import { ollamaServer } from "../../fakes/ollama.js";
import { gatewayForEachTest, PIXEL, SCRIPT } from "./gateway.js";

const gateway = gatewayForEachTest();
let stop: (() => void) | undefined;

afterEach(() => stop?.());

function client(): Ollama {
  return new Ollama({ host: gateway().url, headers: { authorization: `Bearer ${gateway().chat}` } });
}

function post(path: string, body: object): Promise<Response> {
  return gateway().fetch(path, { method: "POST", token: gateway().chat, body: JSON.stringify(body) });
}

async function read(request: {
  model: string;
  prompt: string;
  system?: string;
}): Promise<GenerateResponse[]> {
  const lines: GenerateResponse[] = [];
  for await (const line of await client().generate({ ...request, stream: true })) lines.push(line);
  return lines;
}

/** A gateway with an Ollama server that answers with these lines; returns what the server was asked. */
async function withServer(lines: readonly object[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  const server = createServer(ollamaServer(lines, { chunkSize: 40, seen }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await gateway().restart({
    providers: { acme: { baseUrl, api: "ollama", maxRetries: 0 } },
    models: { "acme/m": {} },
  });
  return seen;
}

describe("a model with another API", () => {
  test("answers whole", async () => {
    const answer = await client().generate({
      model: "demo/echo",
      prompt: "Good morning",
      system: "Be brief.",
    });
    expect(answer).toEqual({
      model: "demo/echo",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      response: "Good morning",
      done: true,
      done_reason: "stop",
      prompt_eval_count: 4,
      eval_count: 2,
    });
  });

  test("streams", async () => {
    const lines = await read({ model: "demo/echo", prompt: "one two" });
    expect(lines.map(({ response, done }) => [response, done])).toEqual([
      ["one", false],
      [" two", false],
      ["", true],
    ]);
    expect(lines.every((line) => !("message" in line))).toBe(true);
    expect(lines.at(-1)).toMatchObject({ done_reason: "stop", prompt_eval_count: 2, eval_count: 2 });
  });

  test("shows its thinking", async () => {
    const { thinking, response } = await client().generate({
      model: "demo/script",
      prompt: "think: Hm.\nsay: Yes.",
      think: true,
    });
    expect([thinking, response]).toEqual(["Hm.", "Yes."]);
  });

  test("answers in the form that is asked for", async () => {
    const { response } = await client().generate({ model: "demo/echo", prompt: "x", format: "json" });
    expect(response).toBe('{"text":"x"}');
  });

  test("is sent the options, and the client is told of the rest", async () => {
    const options = { stop: [" b"], num_ctx: 100 };
    const request = { model: "demo/echo", prompt: "a b c", keep_alive: "5m", stream: false, options };
    const response = await post("/api/generate", request);
    expect(await response.json()).toMatchObject({ response: "a" });
    const losses: { at: string }[] = JSON.parse(response.headers.get("x-dragoman-losses") ?? "[]");
    expect(losses.map(({ at }) => at)).toEqual(["/keep_alive", "/options/num_ctx"]);
  });

  test.each([
    [{ suffix: "}" }, "suffix"],
    [{ raw: true }, "raw"],
    [{ template: "{{ .Prompt }}" }, "template"],
    [{ context: [1, 2] }, "context"],
  ])("refuses %j", async (more, field) => {
    const asking = client().generate({ model: "demo/echo", prompt: "x", ...more });
    await expect(asking).rejects.toMatchObject({
      status_code: 400,
      error: `"${field}" cannot be served: demo/echo has another API than ollama (at /${field})`,
    });
  });

  test.each([
    [{ prompt: 7 }, "/prompt"],
    [{ prompt: "x", system: ["y"] }, "/system"],
    [{ prompt: "x", images: "AAAA" }, "/images"],
    [{ prompt: "x", options: { temperature: "hot" } }, "/options/temperature"],
  ])("refuses %j with the place", async (more, at) => {
    const response = await post("/api/generate", { model: "demo/echo", ...more });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toContain(`(at ${at})`);
  });

  test("fails in the shape of Ollama, whole and in the middle of a stream", async () => {
    const asking = client().generate({ model: "demo/script", prompt: "fail: 429" });
    await expect(asking).rejects.toMatchObject({ status_code: 429, error: "HTTP 429: as the script says" });
    await expect(read({ model: "demo/script", prompt: "say: Half an\ncut" })).rejects.toThrow(
      "the stream ended before its terminal event",
    );
  });
});

describe("an agent", () => {
  test("answers a prompt with its own tools", async () => {
    const { response, thinking } = await client().generate({ model: "agent/worker", prompt: SCRIPT });
    expect([response, thinking]).toEqual(["Let me look.\n\nIt is there.", "Hm."]);
  });

  test("is shown the client's pictures", async () => {
    await client().generate({ model: "agent/main", prompt: "What is this?", images: [PIXEL] });
    const [session = ""] = await gateway().sessions();
    expect(await gateway().told(session)).toEqual(["user: What is this?(image)", "assistant: What is this?"]);
  });
});

describe("an Ollama server", () => {
  const line = (response: string, more: object = {}) => ({
    model: "m",
    created_at: "2026-01-01T00:00:00Z",
    response,
    done: false,
    ...more,
  });
  const last = line("", { done: true, done_reason: "stop", context: [1, 2], eval_count: 2, vendor: 1 });

  test("gets the request as it came, and its answer goes back", async () => {
    const seen = await withServer([line("", { thinking: "Hm." }), line("Yes"), line("."), last]);
    const request = { prompt: "Q", suffix: "S", context: [7], template: "T", keep_alive: "1m", think: true };
    const answer = await client().generate({ model: "acme/m", ...request });
    expect(answer).toEqual({ ...last, model: "acme/m", response: "Yes.", thinking: "Hm." });
    expect(seen).toEqual([{ model: "m", ...request, stream: true }]);
  });

  test("streams through, line by line", async () => {
    await withServer([line("", { thinking: "Hm." }), line("Yes"), last]);
    expect(await read({ model: "acme/m", prompt: "Q" })).toEqual([
      line("", { model: "acme/m", thinking: "Hm." }),
      line("Yes", { model: "acme/m" }),
      { ...last, model: "acme/m" },
    ]);
  });

  test("is asked to load a model", async () => {
    const seen = await withServer([line("", { done: true, done_reason: "load" })]);
    const answer = await client().generate({ model: "acme/m", prompt: "" });
    expect(answer).toMatchObject({ model: "acme/m", response: "", done: true, done_reason: "load" });
    expect(seen).toEqual([{ model: "m", prompt: "", stream: true }]);
  });

  test("refuses in its own words", async () => {
    await withServer([last]);
    const asking = client().generate({ model: "acme/m", prompt: "Q", raw: true, system: "x" });
    await expect(asking).rejects.toMatchObject({
      status_code: 400,
      error: "HTTP 400: raw mode does not support template, system, or context",
    });
  });
});

describe("a request without a prompt loads the model", () => {
  const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

  test.each([
    ["demo/echo", {}, "load"],
    ["agent/main", { keep_alive: -1 }, "load"],
    ["demo/echo", { keep_alive: 0 }, "unload"],
    ["demo/echo", { keep_alive: "0s" }, "unload"],
  ])("%s with %j", async (model, more, done_reason) => {
    const answer = await client().generate({ model, prompt: "", ...more });
    expect(answer).toEqual({ model, created_at, response: "", done: true, done_reason });
    const chat = await client().chat({ model, messages: [], ...more });
    const message = { role: "assistant", content: "" };
    expect(chat).toEqual({ model, created_at, message, done: true, done_reason });
    expect(await gateway().sessions()).toEqual([]);
  });

  test("also when the client asks for a stream", async () => {
    expect(await read({ model: "demo/echo", prompt: "" })).toMatchObject([
      { done: true, done_reason: "load" },
    ]);
  });

  test.each([
    ["agent/nobody", 404],
    ["openai/gpt-5.5", 403],
  ])("but not %s", async (model, status_code) => {
    await expect(client().generate({ model, prompt: "" })).rejects.toMatchObject({ status_code });
  });
});

test("the server has no models in memory", async () => {
  expect(await client().ps()).toEqual({ models: [] });
});

test("a model is shown by its older field `name` too", async () => {
  const response = await post("/api/show", { name: "demo/echo" });
  expect(await response.json()).toMatchObject({ capabilities: ["completion"] });
  const nothing = await post("/api/show", {});
  expect(nothing.status).toBe(400);
});
