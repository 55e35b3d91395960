import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import type { Config } from "../../../src/runtime/schema.js";
import {
  PROVIDER_KEY,
  type ServedApi,
  type StrictProvider,
  strictProvider,
} from "../../fakes/strict/provider.js";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();
const open: StrictProvider[] = [];

afterEach(async () => {
  for (const provider of open.splice(0)) await provider.close();
});

/** A gateway with a strict provider for each of these APIs, by its name. */
async function setUp<A extends ServedApi>(...apis: A[]) {
  const strict: Partial<Record<ServedApi, StrictProvider>> = {};
  const providers: NonNullable<Config["providers"]> = {};
  const models: NonNullable<Config["models"]> = {};
  for (const api of apis) {
    const started = await strictProvider(api);
    open.push(started);
    strict[api] = started;
    providers[api] = { baseUrl: started.baseUrl, apiKey: PROVIDER_KEY, api, maxRetries: 0 };
    models[`${api}/${started.model}`] = {};
  }
  await gateway().restart({ providers, models });
  const behind = (api: A): StrictProvider => {
    const found = strict[api];
    if (found === undefined) throw new Error(`there is no ${api}`);
    return found;
  };
  return { behind, model: (api: A) => `${api}/${behind(api).model}` };
}

function client(token = gateway().chat): OpenAI {
  return new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: token, maxRetries: 0 });
}

const parameters = {
  type: "object",
  properties: { step: { type: "number" } },
  required: ["step"],
  additionalProperties: false,
};
const lookup = {
  type: "function" as const,
  name: "lookup",
  description: "Looks a step up.",
  parameters,
  strict: true,
};
const result = (call_id: string) => ({ type: "function_call_output" as const, call_id, output: "found" });

describe("a provider that speaks the client's API", () => {
  test("gets the history instead of the id; its answer is stored under an id of the gateway", async () => {
    const { behind, model } = await setUp("openai-responses");
    const strict = behind("openai-responses");
    const asked = { model: model("openai-responses"), tools: [lookup] };
    const first = await client().responses.create({ ...asked, input: "Go.", truncation: "auto" });
    expect(first.id).toMatch(/^resp_[0-9A-Z]{52}$/);
    const second = await client().responses.create({
      ...asked,
      previous_response_id: first.id,
      input: [result("call_0")],
      reasoning: { effort: "low" },
    });
    expect(strict.refusals).toEqual([]);
    const [one, two] = strict.requests.map(({ body }) => body);
    expect(one).toEqual({
      model: strict.model,
      tools: [lookup],
      input: "Go.",
      truncation: "auto",
      stream: true,
    });
    expect(two).toEqual({
      model: strict.model,
      tools: [lookup],
      input: [{ role: "user", content: "Go." }, ...first.output, result("call_0")],
      reasoning: { effort: "low" },
      // Without it the reasoning could not be sent back.
      include: ["reasoning.encrypted_content"],
      stream: true,
    });
    expect(second).toMatchObject({ previous_response_id: first.id, store: true, conversation: null });
    const retrieved = await client().responses.retrieve(second.id);
    expect(retrieved).toMatchObject({
      id: second.id,
      created_at: 1_700_000_000,
      model: model("openai-responses"),
      output: second.output,
      usage: second.usage,
      previous_response_id: first.id,
    });
  });

  test("gets an id that is not the gateway's, and its answer is not stored", async () => {
    const { behind, model } = await setUp("openai-responses");
    const response = await client().responses.create({
      model: model("openai-responses"),
      input: "Go.",
      previous_response_id: "resp_68f1c0ffee",
    });
    expect(behind("openai-responses").requests[0]?.body).toEqual({
      model: "gpt-5.5",
      input: "Go.",
      previous_response_id: "resp_68f1c0ffee",
      stream: true,
    });
    expect(response.id).toBe("resp_0");
    expect(await gateway().sessions()).toEqual([]);
  });

  test("gets references to its own items unchanged", async () => {
    const { behind, model } = await setUp("openai-responses");
    const input = [{ type: "item_reference" as const, id: "msg_68f1c0ffee" }];
    await client()
      .responses.create({ model: model("openai-responses"), input })
      .catch(() => undefined);
    const { requests, refusals } = behind("openai-responses");
    expect(requests[0]?.body["input"] ?? refusals).toEqual(input);
  });

  test("gets the thinking of another model as text, and the client is told", async () => {
    const { behind, model } = await setUp("openai-responses");
    const first = await client(gateway().admin).responses.create({
      model: "demo/script",
      input: "think: Hm.\nsay: Yes.",
    });
    const { response } = await client(gateway().admin)
      .responses.create({
        model: model("openai-responses"),
        previous_response_id: first.id,
        input: "Are you sure?",
      })
      .withResponse();
    const { requests, refusals } = behind("openai-responses");
    expect(refusals).toEqual([]);
    expect(requests[0]?.body["input"]).toMatchObject([
      { role: "user", content: [{ type: "input_text", text: "think: Hm.\nsay: Yes." }] },
      { role: "assistant", content: "Hm.\n\n" },
      { role: "assistant", content: "Yes." },
      { role: "user", content: [{ type: "input_text", text: "Are you sure?" }] },
    ]);
    expect(JSON.parse(response.headers.get("x-dragoman-losses") ?? "[]")).toEqual([
      {
        at: "/previous_response_id",
        what: "thinking",
        why: "another model wrote it; it is sent as text",
        severity: "approximated",
      },
    ]);
  });
});

describe("a provider with another API", () => {
  test("gets the whole history of a chain, with the names of its tools", async () => {
    const { behind, model } = await setUp("openai-chat");
    const asked = { model: model("openai-chat"), tools: [lookup] };
    const first = await client().responses.create({
      ...asked,
      instructions: "Be brief.",
      input: [
        { role: "developer", content: "Speak English." },
        { role: "user", content: "Go." },
      ],
    });
    const call = first.output.find((item) => item.type === "function_call");
    const second = await client().responses.create({
      ...asked,
      instructions: "Be kind.",
      previous_response_id: first.id,
      input: [result(call?.call_id ?? "")],
    });
    const next = second.output.find((item) => item.type === "function_call");
    await client().responses.create({
      ...asked,
      previous_response_id: second.id,
      input: [result(next?.call_id ?? ""), { role: "developer", content: "Speak French." }],
    });
    const { requests, refusals } = behind("openai-chat");
    expect(refusals).toEqual([]);
    expect(requests[1]?.body["messages"]).toMatchObject([
      { content: "Be kind.\n\nSpeak English." },
      { role: "user", content: "Go." },
      { role: "assistant", tool_calls: [{ function: { name: "lookup", arguments: '{"step":0}' } }] },
      { role: "tool", content: "found" },
    ]);
    // A later system message stays where it is, and the instructions are gone.
    expect(requests[2]?.body["messages"]).toMatchObject([
      { content: "Speak English." },
      { role: "user", content: "Go." },
      { role: "assistant" },
      { role: "tool" },
      { role: "assistant" },
      { role: "tool" },
      { content: "Speak French." },
    ]);
  });

  test("gets a prompt that is an item once, and in its place", async () => {
    const { behind, model } = await setUp("openai-chat");
    const first = await client().responses.create({ model: "demo/echo", input: "Hello." });
    await client().responses.create({
      model: model("openai-chat"),
      previous_response_id: first.id,
      input: [
        { role: "developer", content: "Speak French." },
        { role: "user", content: "Go." },
      ],
    });
    expect(behind("openai-chat").requests[0]?.body["messages"]).toMatchObject([
      { role: "user", content: "Hello." },
      { role: "assistant", content: "Hello." },
      { content: "Speak French." },
      { role: "user", content: "Go." },
    ]);
  });

  test("gets the client's own tools as functions, in the history too", async () => {
    await gateway().restart();
    const tools = [{ type: "custom" as const, name: "note", description: "Notes a text." }];
    const first = await client().responses.create({
      model: "demo/script",
      tools,
      input: 'call: note {"input":"one"}',
    });
    const [call] = first.output.filter((item) => item.type === "custom_tool_call");
    expect(call).toMatchObject({ name: "note", input: "one" });
    const second = await client().responses.create({
      model: "demo/tools",
      tools,
      previous_response_id: first.id,
      input: [{ type: "custom_tool_call_output", call_id: call?.call_id ?? "", output: "noted" }],
    });
    expect(second.output_text).toBe("note said: noted");
    const items = await client().responses.inputItems.list(second.id, { order: "asc" });
    expect(items.data.map(({ type }) => type)).toEqual([
      "message",
      "custom_tool_call",
      "custom_tool_call_output",
    ]);
  });
});
