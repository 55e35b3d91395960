import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import {
  PROVIDER_KEY,
  type ServedApi,
  type StrictProvider,
  strictProvider,
} from "../../fakes/strict/provider.js";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();
let behind: StrictProvider | undefined;

afterEach(async () => {
  await behind?.close();
  behind = undefined;
});

/** The name of a model whose provider speaks this API. */
async function modelBehind(api: ServedApi): Promise<string> {
  behind = await strictProvider(api);
  const acme = { baseUrl: behind.baseUrl, apiKey: PROVIDER_KEY, api };
  const name = `acme/${behind.model}`;
  await gateway().restart({ providers: { acme }, models: { [name]: {}, "openai/gpt-5.5": {} } });
  return name;
}

const openai = () => new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().chat, maxRetries: 0 });
const anthropic = () => new Anthropic({ baseURL: gateway().url, apiKey: gateway().chat, maxRetries: 0 });
const user = { role: "user" as const, content: "Go." };

describe("a thread that the server would hold", () => {
  const lookup = {
    type: "custom" as const,
    name: "lookup",
    description: "Looks a step up.",
    input_schema: { type: "object" as const, properties: { step: { type: "number" } } },
    parse: (input: unknown) => input,
    run: async () => "found it",
  };

  test("is refused, and the client's tool runner sends whole histories", async () => {
    const model = await modelBehind("anthropic");
    const runner = anthropic().beta.messages.toolRunner({
      model,
      max_tokens: 4000,
      thinking: { type: "adaptive" },
      messages: [user],
      tools: [lookup],
    });
    const { content } = await runner.runUntilDone();
    expect(content.at(-1)).toMatchObject({ type: "text", text: "Done after 5 calls." });
    expect(behind?.refusals).toEqual([]);
    const counts = behind?.requests.map(
      ({ body }) => JSON.stringify(body["messages"]).split('"role"').length - 1,
    );
    expect(counts).toEqual([1, 3, 5, 7, 9, 11]);
  });

  test("is refused in the words that the client looks for", async () => {
    const response = await fetch(`${gateway().url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": gateway().chat },
      body: JSON.stringify({
        model: "demo/echo",
        max_tokens: 9,
        messages: [user],
        thread: { type: "create" },
      }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: "error",
      error: {
        type: "invalid_request_error",
        details: { error_code: "thread_unsupported_request", unsupported: ["thread"] },
      },
    });
  });
});

test("several choices are whole", async () => {
  const model = await modelBehind("openai-chat");
  const { choices } = await openai().chat.completions.create({ model, n: 2, messages: [user] });
  const fn = { name: "lookup", arguments: '{"step":0}' };
  const message = {
    role: "assistant",
    content: null,
    reasoning_content: "Step 0 — with care.",
    tool_calls: [{ id: "call_0", type: "function", function: fn }],
  };
  expect(choices).toMatchObject([
    { index: 0, message, finish_reason: "tool_calls" },
    { index: 1, message, finish_reason: "tool_calls" },
  ]);
  expect(choices[1]).not.toHaveProperty("delta");
});

describe("a failure that trying again cannot end", () => {
  test("a provider without a key", async () => {
    await modelBehind("openai-chat");
    const asked = openai().responses.create({ model: "openai/gpt-5.5", input: "Hi" });
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    if (!(error instanceof OpenAI.APIError)) throw error;
    expect(error.status).toBe(502);
    expect(error.headers?.get("x-should-retry")).toBe("false");
  });

  test("a script with a line that is not a step", async () => {
    const asked = anthropic().messages.create({
      model: "demo/script",
      max_tokens: 9,
      messages: [{ role: "user", content: "say: a\nsing: b" }],
    });
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    if (!(error instanceof Anthropic.APIError)) throw error;
    expect(error.status).toBe(400);
    expect(error.headers?.get("x-should-retry")).toBe("false");
    expect(error.message).toContain('\\"sing: b\\" is not a step of a script');
  });
});

test("a script begins with its first step", async () => {
  const { content } = await anthropic().messages.create({
    model: "demo/script",
    max_tokens: 9,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "<system-reminder>Be careful.</system-reminder>" },
          { type: "text", text: "say: Hello." },
        ],
      },
    ],
  });
  expect(content).toEqual([{ type: "text", text: "Hello." }]);
});

test("an agent that is brought tools says so, whatever comes last", async () => {
  const asked = anthropic().beta.messages.create({
    model: "agent/main",
    max_tokens: 9,
    messages: [user, { role: "system", content: "Be brief." }],
    tools: [{ name: "read", input_schema: { type: "object" } }],
  });
  await expect(asked).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("the request has tools, but an agent uses only its own"),
  });
});

describe("a response", () => {
  const tool = { type: "function" as const, name: "t", parameters: { type: "object" }, strict: false };
  const echoed = { instructions: "Be brief.", metadata: { a: "b" }, temperature: 0.5, tools: [tool] };

  test("repeats the request, of any model", async () => {
    const body = { model: "demo/echo", input: "Hi", ...echoed };
    expect(await openai().responses.create(body)).toMatchObject(echoed);
    const seen: string[] = [];
    for await (const event of await openai().responses.create({ ...body, stream: true })) {
      if (!("response" in event)) continue;
      expect(event.response).toMatchObject(echoed);
      seen.push(event.type);
    }
    expect(seen).toEqual(["response.created", "response.in_progress", "response.completed"]);
  });

  test("is the provider's own, under the name that was asked for", async () => {
    const model = await modelBehind("openai-responses");
    const { instructions, metadata, temperature, tools } = echoed;
    const response = await openai().responses.create({
      model,
      input: "Hi",
      store: false,
      ...{ instructions, metadata, temperature, tools },
    });
    expect(response).toMatchObject({ id: "resp_0", model, created_at: 1_700_000_000, ...echoed });
  });
});

test("a demo model reports an image that it does not read, where the request has it", async () => {
  const image = { type: "image_url" as const, image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
  const { response } = await openai()
    .chat.completions.create({
      model: "demo/echo",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "x" }, image] },
      ],
    })
    .withResponse();
  expect(JSON.parse(response.headers.get("x-dragoman-losses") ?? "")).toEqual([
    { at: "/messages/1", what: "an image", why: "the model accepts only text", severity: "dropped" },
  ]);
});
