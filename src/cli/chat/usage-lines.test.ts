import { expect, test } from "vitest";
import type { AgentMessage, Usage } from "../../core/types.js";
import { usageLines } from "./usage-lines.js";

function usage(input: number, output: number, cacheRead: number, total: number): Usage {
  const cost = { input: total, output: 0, cacheRead: 0, cacheWrite: 0, total };
  return { input, output, cacheRead, cacheWrite: 0, totalTokens: input + output + cacheRead, cost };
}

function answer(model: string, used: Usage, unknown = false): AgentMessage {
  return {
    role: "assistant",
    content: [],
    api: "x",
    provider: "p",
    model,
    usage: used,
    stopReason: "stop",
    timestamp: 1,
    ...(unknown ? { ext: { synthesised: ["/usage/cost"] } } : {}),
  };
}

test("nothing yet", () => {
  expect(usageLines([{ role: "user", content: "hi", timestamp: 1 }])).toEqual(["no answers yet"]);
});

test("one model", () => {
  expect(
    usageLines([answer("a", usage(1000, 20, 0, 0.001)), answer("a", usage(500, 5, 8000, 0.0234))]),
  ).toEqual(["p/a", "  1,500 in · 25 out · 8,000 from the cache · $0.024"]);
});

test("several models, a summary, and a price nobody knows", () => {
  const summary: AgentMessage = {
    role: "compaction",
    summary: "s",
    details: { model: "p/a", usage: usage(10, 1, 0, 1.5) },
    timestamp: 1,
  };
  expect(
    usageLines([answer("a", usage(5, 5, 0, 0.5)), summary, answer("b", usage(1, 1, 0, 0), true)]),
  ).toEqual([
    "p/a",
    "  15 in · 6 out · $2.00",
    "p/b",
    "  1 in · 1 out · price unknown",
    "total",
    "  16 in · 7 out · $2.00 plus an unknown amount",
  ]);
});

test("a server that calls its model what a terminal would obey", () => {
  expect(usageLines([answer("a\u001b[2J\u001b]0;mine\u0007", usage(1, 1, 0, 0.5))])[0]).toBe("p/a");
});
