import { expect, test } from "vitest";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantMessage } from "../../core/types.js";
import { withListPrice } from "./list-price.js";

function answer(model: string, synthesised: string[]): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: "anthropic-messages",
    provider: "anthropic",
    model,
    usage: { ...emptyUsage(), input: 1_000_000, output: 1_000_000, totalTokens: 2_000_000 },
    stopReason: "stop",
    timestamp: 1,
    ext: { synthesised },
  };
}

test("an answer without a cost gets the list price of its tokens", () => {
  expect(withListPrice(answer("claude-sonnet-4-5", ["/usage/cost", "/timestamp"]))).toMatchObject({
    usage: { cost: { input: 3, output: 15, total: 18 } },
    ext: { synthesised: ["/timestamp"] },
  });
});

test.each([
  ["a recorded cost", answer("claude-sonnet-4-5", [])],
  ["unknown tokens", answer("claude-sonnet-4-5", ["/usage"])],
  ["a model without a known price", answer("claude-unknown", ["/usage/cost"])],
])("%s stays as it is", (_, message) => {
  expect(withListPrice(message)).toBe(message);
});
