import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/json/value.js";
import {
  PROVIDER_KEY,
  type ServedApi,
  type StrictProvider,
  strictProvider,
} from "../../fakes/strict/provider.js";
import { gatewayForEachTest } from "./gateway.js";
import { toolLoops } from "./tool-loops.js";

const gateway = gatewayForEachTest();
let strict: StrictProvider | undefined;

afterEach(() => strict?.close());

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
    strict = await strictProvider(to);
    const acme = { baseUrl: strict.baseUrl, apiKey: PROVIDER_KEY, api: to, maxRetries: 0 };
    const model = `acme/${strict.model}`;
    await gateway().restart({ providers: { acme }, models: { [model]: {} } });
    const target = { key: gateway().chat, model, stream, url: gateway().url };
    expect(await toolLoops[from](target)).toContain("Done after 5 calls.");

    expect(strict.refusals).toEqual([]);
    expect(strict.requests).toHaveLength(6);
    expect(thinkingBack(to, strict.requests.at(-1)?.body)).toBe(count);
  });
});
