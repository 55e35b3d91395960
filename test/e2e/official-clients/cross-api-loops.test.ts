import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/json/value.js";
import { list } from "../../fakes/refusal.js";
import {
  PROVIDER_KEY,
  type ServedApi,
  type StrictProvider,
  strictProvider,
} from "../../fakes/strict/provider.js";
import { gatewayForEachTest } from "./gateway.js";
import { toolLoops } from "./tool-loops.js";

const gateway = gatewayForEachTest();
const open: StrictProvider[] = [];

afterEach(async () => {
  for (const provider of open.splice(0)) await provider.close();
});

async function provider(api: ServedApi): Promise<StrictProvider> {
  const started = await strictProvider(api);
  open.push(started);
  return started;
}

/** What shows in a request that the model has its thinking back, as only it could write it. */
const thinkingIn: Record<ServedApi, RegExp> = {
  anthropic: /"type":"thinking","thinking":"Step \d — with care\.","signature":"/g,
  "openai-responses": /"encrypted_content":"rs_\d\./g,
  "openai-chat": /"reasoning_(?:content":"Step \d — with care\."|details":\[\{[^\]]*"signature":")/g,
  google: /"functionCall":\{[^}]*\}\},"thoughtSignature":"(?!skip_)/g,
  ollama: /"thinking":"Step \d — with care\."/g,
};

function thinkingBack(api: ServedApi, body: JsonObject | undefined): number {
  return JSON.stringify(body).match(thinkingIn[api])?.length ?? 0;
}

/**
 * How many of the five turns get their thinking back. Chat and Ollama have no place for signatures. Of Google one is lost:
 * code that Google ran is between the thinking and its signed call.
 */
const carried: Record<ServedApi, Partial<Record<ServedApi, number>>> = {
  anthropic: { "openai-responses": 5, "openai-chat": 5, google: 4, ollama: 5 },
  "openai-responses": { anthropic: 5, "openai-chat": 5, google: 4, ollama: 5 },
  google: { anthropic: 5, "openai-responses": 5, "openai-chat": 5, ollama: 5 },
  "openai-chat": { anthropic: 0, "openai-responses": 0, google: 0, ollama: 5 },
  ollama: { anthropic: 0, "openai-responses": 0, google: 0, "openai-chat": 5 },
};

const routes = Object.entries(carried).flatMap(([from, targets]) =>
  Object.entries(targets).map(([to, count]) => [from as ServedApi, to as ServedApi, count] as const),
);

describe.each(routes)("the client of %s with a model of %s", (from, to, count) => {
  test.each([false, true])(`a loop of five turns, streamed: %s`, async (stream) => {
    const strict = await provider(to);
    const flags = to === "openai-chat" ? { thinkingField: "reasoning_content" as const } : {};
    const acme = { baseUrl: strict.baseUrl, apiKey: PROVIDER_KEY, api: to, maxRetries: 0, flags };
    const model = `acme/${strict.model}`;
    await gateway().restart({ providers: { acme }, models: { [model]: {} } });
    const target = { key: gateway().chat, model, stream, url: gateway().url };
    expect(await toolLoops[from](target)).toContain("Done after 5 calls.");

    expect(strict.refusals).toEqual([]);
    expect(strict.requests).toHaveLength(6);
    expect(thinkingBack(to, strict.requests.at(-1)?.body)).toBe(count);
  });
});

/** A request, and what is added to its list of messages by an answer with one call. */
interface Switching {
  path(model: string): string;
  list: string;
  body: JsonObject;
  next(answer: JsonObject): unknown[];
  lost: string[];
}

const parameters = { type: "object", properties: { step: { type: "number" } } };
const switching: Partial<Record<ServedApi, Switching>> = {
  anthropic: {
    path: () => "/v1/messages",
    list: "messages",
    body: {
      max_tokens: 99,
      thinking: { type: "adaptive" },
      tools: [{ name: "lookup", input_schema: parameters }],
      messages: [{ role: "user", content: "Go." }],
    },
    next: ({ content }) => [
      { role: "assistant", content },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "call_0", content: "found" }] },
    ],
    lost: ["/messages/1/content/0"],
  },
  "openai-responses": {
    path: () => "/v1/responses",
    list: "input",
    body: {
      store: false,
      tools: [{ type: "function", name: "lookup", parameters, strict: false }],
      input: [{ role: "user", content: "Go." }],
    },
    next: ({ output }) => [
      ...list(output, "output"),
      { type: "function_call_output", call_id: "call_0", output: "found" },
    ],
    lost: ["/input/1"],
  },
  google: {
    path: (model) => `/v1beta/models/${model}:generateContent`,
    list: "contents",
    body: {
      tools: [{ functionDeclarations: [{ name: "lookup", parametersJsonSchema: parameters }] }],
      contents: [{ role: "user", parts: [{ text: "Go." }] }],
    },
    next: ({ candidates }) => [
      ...list(candidates, "candidates").map(({ content }) => content),
      { role: "user", parts: [{ functionResponse: { id: "call_0", name: "lookup", response: {} } }] },
    ],
    lost: ["/contents/1/parts/1"],
  },
};

test.each(Object.entries(switching))(
  "a client of %s can go on with a model of its own API",
  async (name, { path, list: field, body, next, lost }) => {
    const [other, own] = [await provider("openai-chat"), await provider(name as ServedApi)];
    const server = ({ baseUrl }: StrictProvider, api: ServedApi) => ({
      baseUrl,
      apiKey: PROVIDER_KEY,
      api,
      maxRetries: 0,
    });
    const [first, second] = [`other/${other.model}`, `own/${own.model}`];
    await gateway().restart({
      providers: { other: server(other, "openai-chat"), own: server(own, name as ServedApi) },
      models: { [first]: {}, [second]: {} },
    });
    const ask = (model: string, more: unknown[]) =>
      fetch(`${gateway().url}${path(model)}`, {
        method: "POST",
        headers: { authorization: `Bearer ${gateway().chat}`, "anthropic-version": "2023-06-01" },
        body: JSON.stringify({ model, ...body, [field]: [body[field], more].flat() }),
      });
    const answer = await (await ask(first, [])).json();
    const response = await ask(second, next(answer));
    expect(own.refusals).toEqual([]);
    expect(response.status).toBe(200);
    const losses: { at: string }[] = JSON.parse(response.headers.get("x-dragoman-losses") ?? "[]");
    expect(losses.map(({ at }) => at)).toEqual(lost);
    expect(JSON.stringify(own.requests[0]?.body)).not.toContain("WyJkcmFnb21hbi0x");
  },
);
