import { expect, test } from "vitest";
import { footerLine } from "./footer.js";

const footer = {
  model: "anthropic/claude-opus-4-6",
  used: 12_345,
  contextWindow: 200_000,
  cost: 0.04,
  unpriced: false,
};

test.each([
  [80, footer, "anthropic/claude-opus-4-6 · 12k of 200k, 93% left · $0.0400"],
  [40, footer, "anthropic/claude-… · 93% left · $0.0400"],
  [
    80,
    { ...footer, contextWindow: undefined, unpriced: true },
    "anthropic/claude-opus-4-6 · 12k tokens · ≥ $0.0400",
  ],
  [
    80,
    { ...footer, used: 1_200_000, contextWindow: 1_000_000 },
    "anthropic/claude-opus-4-6 · 1.2M of 1M, 0% left · $0.0400",
  ],
])("in %i columns", (columns, given, expected) => {
  expect(footerLine(given, columns)).toBe(expected);
});
