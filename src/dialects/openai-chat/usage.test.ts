import { expect, test } from "vitest";
import { priced } from "../../core/message/usage.js";
import { readUsage } from "./usage.js";

const origin = {
  provider: "p",
  model: "m",
  timestamp: 1,
  price: (tokens: Parameters<typeof priced>[0]) =>
    priced(tokens, { input: 0, output: 1_000_000, cacheRead: 0, cacheWrite: 0 }),
  priceKnown: true,
};

test.each([
  ["without a total it is a part of the completion", {}, 5],
  ["a total that does not count it: it is a part of the completion", { total_tokens: 15 }, 5],
  ["a total that counts it beside the completion", { total_tokens: 18 }, 8],
  ["a total of something else says nothing", { total_tokens: 99 }, 5],
])("reasoning tokens: %s", (_, total, output) => {
  const raw = {
    prompt_tokens: 10,
    completion_tokens: 5,
    completion_tokens_details: { reasoning_tokens: 3 },
    ...total,
  };
  const { usage, reasoningTokens } = readUsage(raw, origin);
  expect([usage.input, usage.output, usage.cost.output, reasoningTokens]).toEqual([10, output, output, 3]);
});
