import fc from "fast-check";
import { expect, test } from "vitest";
import { check } from "../../src/convert/check.js";
import { convert } from "../../src/convert/convert.js";
import { conversation, transcript } from "../generate/conversations.js";

test("what is written as a Cline file follows its contract, without a warning", async () => {
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(conversation, async (messages) => {
      const { output } = await convert(transcript(messages), { from: "openclaw", to: "cline" });
      const { problems } = await check(output, { from: "cline" });
      expect(problems.filter(({ code }) => code.startsWith("cline/"))).toEqual([]);
      answers += messages.filter(({ role }) => role === "assistant").length;
    }),
    { numRuns: 300 },
  );
  expect(answers).toBeGreaterThan(300);
});

test.each(["openclaw-turns", "timbal", "clawtools", "pi"] as const)(
  "what came through %s has a warning only for what was not known there",
  async (through) => {
    const unknown = ["cline/no-ts", "cline/no-model-info", "cline/no-metrics", "cline/incomplete-metrics"];
    let files = 0;
    await fc.assert(
      fc.asyncProperty(conversation, async (messages) => {
        const there = await convert(transcript(messages), { from: "openclaw", to: through });
        const { output } = await convert(there.output, { from: through, to: "cline" });
        const { problems } = await check(output, { from: "cline" });
        const own = problems.filter(({ code }) => code.startsWith("cline/"));
        expect(own.filter(({ code }) => !unknown.includes(code))).toEqual([]);
        files++;
      }),
      { numRuns: 50 },
    );
    expect(files).toBe(50);
  },
);
