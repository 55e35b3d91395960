import { expect, test } from "vitest";
import type { Origin } from "../../core/api/provider.js";
import { priced } from "../../core/message/usage.js";
import { anthropicApi } from "./index.js";

const origin: Origin = {
  provider: "",
  model: "",
  timestamp: 0,
  price: (tokens) => priced(tokens, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
  priceKnown: false,
};

test.each([
  ["no usage", {}],
  ["an empty usage", { usage: {} }],
  ["a usage of null", { usage: null }],
  ["a field named __proto__ in its usage", { usage: JSON.parse('{"__proto__":{"a":1}}') }],
  ["more tokens than any number", { usage: { output_tokens: Number.POSITIVE_INFINITY } }],
])("a response with %s comes back as it was", (_, usage) => {
  const body = { content: [{ type: "text", text: "x" }], ...usage };
  expect(anthropicApi.response(anthropicApi.readResponse(body, origin))).toEqual(body);
});
