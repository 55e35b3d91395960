import { expect, test } from "vitest";
import { type ApiName, loadApi } from "../dialects/registry.js";
import { address, keyFor, resolveEndpoint } from "./endpoints.js";

const at = async (api: ApiName, baseUrl: string) =>
  address(await loadApi(api), { baseUrl }, "m/1", { value: "KEY" });

test.each([
  [
    "anthropic",
    "https://a.test",
    "https://a.test/v1/messages",
    { "x-api-key": "KEY", "anthropic-version": "2023-06-01" },
  ],
  [
    "openai-chat",
    "https://o.test/v1/",
    "https://o.test/v1/chat/completions",
    { authorization: "Bearer KEY" },
  ],
  ["openai-responses", "https://o.test/v1", "https://o.test/v1/responses", { authorization: "Bearer KEY" }],
  [
    "google",
    "https://g.test/v1beta",
    "https://g.test/v1beta/models/m%2F1:streamGenerateContent?alt=sse",
    { "x-goog-api-key": "KEY" },
  ],
  ["ollama", "http://127.0.0.1:11434", "http://127.0.0.1:11434/api/chat", { authorization: "Bearer KEY" }],
] as const)("%s", async (api, baseUrl, url, headers) => {
  expect(await at(api, baseUrl)).toEqual({
    url,
    headers: { "content-type": "application/json", ...headers },
  });
});

test("headers are added, replaced, and removed with null; without a key nothing is signed", async () => {
  const api = await loadApi("anthropic");
  const endpoint = { baseUrl: "https://a.test" };
  expect(
    address(api, endpoint, "m", { value: "KEY" }, { "X-Api-Key": null, "anthropic-beta": "x" }).headers,
  ).toEqual({
    "content-type": "application/json",
    "anthropic-version": "2023-06-01",
    "anthropic-beta": "x",
  });
  expect(address(api, endpoint, "m", undefined).headers).toEqual({
    "content-type": "application/json",
    "anthropic-version": "2023-06-01",
  });
});

test.each([
  ["google", "https://g.test/v1?key=x", "https://g.test/v1/models/m%2F1:streamGenerateContent?key=x&alt=sse"],
  ["openai-chat", "https://o.test/v1/?a=b", "https://o.test/v1/chat/completions?a=b"],
] as const)("%s keeps the query of %s", async (api, baseUrl, url) => {
  expect((await at(api, baseUrl)).url).toBe(url);
});

test.each([
  ["bedrock", "BEDROCK_API_KEY", "https://bedrock-runtime.{region}.amazonaws.com"],
  ["vertex", "VERTEX_API_KEY", "https://{host}/v1/projects/{project}/locations/{location}/publishers/google"],
  [
    "vertex-anthropic",
    "VERTEX_ANTHROPIC_API_KEY",
    "https://{host}/v1/projects/{project}/locations/{location}/publishers/anthropic",
  ],
])("%s leaves its placeholders and its credentials to its host", (provider, variable, baseUrl) => {
  const env = (name: string) => (name === variable ? "KEY" : undefined);
  const endpoint = resolveEndpoint(provider, {}, env);
  expect(endpoint.baseUrl).toBe(baseUrl);
  expect(keyFor(provider, endpoint, undefined, env)).toBeUndefined();
  expect(keyFor(provider, endpoint, "GIVEN", env)).toEqual({ value: "GIVEN" });
});

test("the caller's flags are added to the provider's, and win", () => {
  const flags = { maxTokensField: "max_completion_tokens", topK: true } as const;
  expect(resolveEndpoint("together", { flags }, () => undefined).flags).toEqual({
    maxTokensField: "max_completion_tokens",
    thinkTags: true,
    topK: true,
  });
});
