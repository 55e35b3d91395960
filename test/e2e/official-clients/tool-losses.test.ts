import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/json/value.js";
import { PROVIDER_KEY, type StrictProvider, strictProvider } from "../../fakes/strict/provider.js";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();
let google: StrictProvider | undefined;

afterEach(async () => {
  await google?.close();
  google = undefined;
});

/** Asks a Gemini model that does not accept all of JSON Schema. Returns where the request has what was lost. */
async function lossesOf(path: string, body: JsonObject): Promise<string[]> {
  google = await strictProvider("google", () => ({ number: 0, thinking: "", calls: [], text: "Yes." }));
  const acme = {
    baseUrl: google.baseUrl,
    apiKey: PROVIDER_KEY,
    api: "google" as const,
    maxRetries: 0,
    flags: { jsonSchema: false },
  };
  const model = `acme/${google.model}`;
  await gateway().restart({ providers: { acme }, models: { [model]: {} } });
  const response = await fetch(`${gateway().url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway().chat}` },
    body: JSON.stringify({ model, ...body }),
  });
  expect(await response.text()).toContain("Yes.");
  expect(google.refusals).toEqual([]);
  const losses: { at: string }[] = JSON.parse(response.headers.get("x-dragoman-losses") ?? "[]");
  return losses.map(({ at }) => at);
}

const plain = { type: "object", properties: {} };
const open = { type: "object", properties: { a: { type: "string", contentEncoding: "base64" } } };
const messages = [{ role: "user", content: "x" }];

test("tools of a namespace and of the input, beside one that only OpenAI runs", async () => {
  const inner = (name: string, more: JsonObject) => ({ type: "function", name, parameters: plain, ...more });
  const lost = await lossesOf("/v1/responses", {
    store: false,
    tools: [
      { type: "web_search" },
      {
        type: "namespace",
        name: "crm",
        description: "",
        tools: [inner("a", {}), inner("b", { strict: true })],
      },
      { type: "local_shell" },
      inner("c", { strict: true }),
    ],
    input: [
      {
        type: "additional_tools",
        role: "developer",
        tools: [{ type: "web_search" }, inner("d", { parameters: open, strict: false })],
      },
      { role: "user", content: "x" },
    ],
  });
  expect(lost).toEqual([
    "/tools/0",
    "/input/0/tools/0",
    "/tools/1/tools/1/strict",
    "/tools/3/strict",
    "/input/0/tools/1/parameters/properties/a/contentEncoding",
  ]);
});

test("functions of Chat Completions", async () => {
  const tools = [
    { type: "function", function: { name: "a", parameters: plain } },
    { type: "function", function: { name: "b", parameters: open, strict: true } },
  ];
  expect(await lossesOf("/v1/chat/completions", { messages, tools })).toEqual([
    "/tools/1/function/parameters/properties/a/contentEncoding",
    "/tools/1/function/strict",
  ]);
});

test("schemas of Anthropic's tools, after one that the client runs and one that it does not", async () => {
  const tools = [
    { type: "web_search_20250305", name: "web_search" },
    { type: "bash_20250124", name: "bash" },
    { name: "b", input_schema: open, strict: true },
  ];
  expect(await lossesOf("/v1/messages", { max_tokens: 99, messages, tools })).toEqual([
    "/tools/0",
    "/tools/2/input_schema/properties/a/contentEncoding",
    "/tools/2/strict",
  ]);
});
