import { expect, test } from "vitest";
import { convert } from "./convert.js";

test("a conversation of which the target can say nothing is nothing but escrow there, and comes back", async () => {
  const source = '{"role":"session","agent":"main","timestamp":1740000000000}\n';
  const there = await convert(source, { from: "openclaw", to: "clawtools", escrow: true });
  expect(JSON.parse(there.output)).toEqual([
    {
      "x-dragoman": {
        span: 1,
        messages: [{ whole: { role: "session", agent: "main", timestamp: 1_740_000_000_000 } }],
      },
    },
  ]);
  expect(there.losses).toEqual([]);
  const back = await convert(there.output, { from: "clawtools", to: "openclaw" });
  expect(back.output).toBe(source);
});

test("without escrow it is an empty document and a loss", async () => {
  const source = '{"role":"session","agent":"main","timestamp":1740000000000}\n';
  const { output, losses } = await convert(source, { from: "openclaw", to: "clawtools" });
  expect(output).toBe("[]\n");
  expect(losses).toEqual([
    {
      at: "/0",
      what: "the session message",
      why: "clawtools messages do not say which session they belong to",
      severity: "dropped",
    },
  ]);
});
