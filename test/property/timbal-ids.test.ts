import fc from "fast-check";
import { expect, test } from "vitest";
import { convert } from "../../src/convert/convert.js";
import { idSource } from "../../src/core/index.js";
import { conversation, transcript } from "../generate/conversations.js";

const START = 1_736_951_400_000;

function linesOf(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

// Ids as our own log makes them, several within a millisecond; now and then one is missing, or out of order.
const ids = fc.infiniteStream(
  fc.record({
    step: fc.constantFrom(0, 0, 1, 40),
    kind: fc.constantFrom("log", "log", "log", "none", "past"),
  }),
);

test("messages with ids come back one for one, in order, and with their id unless the ledger says otherwise", async () => {
  const seen = { messages: 0, sameId: 0 };
  await fc.assert(
    fc.asyncProperty(conversation, ids, async (plain, steps) => {
      let now = START;
      const next = idSource(
        () => now,
        () => 0.5,
      );
      const past = idSource(
        () => 2 * START - now,
        () => 0.2,
      );
      const messages = plain.map((message) => {
        const { step, kind } = steps.next().value;
        now += step;
        const { id: _, ...rest } = { ...message, timestamp: now };
        if (kind === "none") return rest as typeof message;
        return { ...rest, id: kind === "log" ? next() : past() };
      });
      const there = await convert(transcript(messages), { from: "openclaw", to: "timbal" });
      const written = linesOf(there.output).map((record) => String(record["i"]));
      expect(written).toEqual([...new Set(written)].sort());
      const back = linesOf((await convert(there.output, { from: "timbal", to: "openclaw" })).output);
      expect(back.map((message) => message["role"])).toEqual(messages.map(({ role }) => role));
      for (const [index, message] of messages.entries()) {
        seen.messages++;
        const lost = there.losses.some(({ at }) => at === `/${index}` || at === `/${index}/id`);
        if (back[index]?.["id"] === message.id) seen.sameId++;
        else expect(lost, JSON.stringify(message)).toBe(true);
      }
      const again = await convert(there.output, { from: "timbal", to: "timbal" });
      expect(again.output).toBe(there.output);
    }),
    { numRuns: 200 },
  );
  expect(seen.messages).toBeGreaterThan(400);
  expect(seen.sameId).toBeGreaterThan(seen.messages / 2);
});
