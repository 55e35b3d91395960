import { describe, expect, test } from "vitest";
import type { Api } from "../../src/core/api/provider.js";
import type { JsonObject } from "../../src/core/json/value.js";
import type { Loss } from "../../src/core/types.js";
import { type ApiName, apiNames, loadApi } from "../../src/dialects/registry.js";
import { type Setting, settings } from "./option-settings.js";

const hello: Readonly<Record<ApiName, JsonObject>> = {
  anthropic: { model: "m", max_tokens: 32_000, messages: [{ role: "user", content: "hi" }] },
  "openai-chat": { model: "m", messages: [{ role: "user", content: "hi" }] },
  "openai-responses": { model: "m", input: [{ role: "user", content: "hi" }], store: false },
  google: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
  ollama: { model: "m", messages: [{ role: "user", content: "hi" }], stream: false },
  bedrock: { messages: [{ role: "user", content: [{ text: "hi" }] }] },
};

/** The newest models of each API; older ones of Anthropic's take a budget, and newer ones no temperature. */
function modelFor(target: ApiName, { name }: Setting): string {
  if (target === "google") return name === "no thinking" ? "gemini-2.5-pro" : "gemini-3.5-flash";
  const claude = name.startsWith("thinking") ? "claude-opus-4-8" : "claude-opus-4-6";
  if (target === "anthropic") return claude;
  if (target === "bedrock") return `us.anthropic.${claude}-v1`;
  return "m";
}

/** The request to a target for a client's request, and what it reports. */
function carried(source: Api, body: JsonObject, target: Api, model: string) {
  const { context, options } = source.readRequest(body);
  const { extra, form: _, ...common } = options;
  const losses: Loss[] = [];
  const call = { model, context, options: { ...common, cache: false }, stream: false };
  const request = target.request(call, {}, (loss) => losses.push(loss));
  const unread = Object.keys(extra ?? {});
  return { request, losses: losses.map(({ at, severity }) => `${severity} ${at}`), unread };
}

let pairs = 0;

describe.each(settings)("$name", (setting) => {
  const { reads, writes = {}, loss, approximated = [] } = setting;
  const cells = apiNames.flatMap((from) =>
    apiNames.flatMap((to) => (reads[from] === undefined || from === to ? [] : [{ from, to }])),
  );
  test.each(cells)("$from → $to", async ({ from, to }) => {
    pairs++;
    const body = { ...hello[from], ...reads[from] };
    const target = await loadApi(to);
    const { request, losses, unread } = carried(await loadApi(from), body, target, modelFor(to, setting));
    const expected = writes[to] ?? reads[to];
    const severity = approximated.includes(to) ? "approximated" : "dropped";
    const tools = /^\/tools/.test(loss) ? losses : losses.filter((at) => !/ \/tools\/0\/strict$/.test(at));
    expect(unread).toEqual([]);
    expect(tools).toEqual(expected === undefined || approximated.includes(to) ? [`${severity} ${loss}`] : []);
    if (expected !== undefined) expect(request).toMatchObject(expected);
  });

  const own = apiNames.filter((name) => reads[name] !== undefined);
  test.each(own)("%s → itself, as it was", async (name) => {
    const api = await loadApi(name);
    const body = { ...hello[name], ...reads[name] };
    const losses: Loss[] = [];
    expect(api.request(api.readRequest(body), {}, (one) => losses.push(one))).toEqual(body);
    expect(losses).toEqual([]);
  });
});

test("the matrix is not empty", () => {
  expect(pairs).toBe(515);
});
