import fc from "fast-check";
import { expect, test } from "vitest";
import { DragomanError } from "../../src/core/index.js";
import { pi } from "../../src/dialects/pi/index.js";
import { assistantMessage, json, userMessage } from "../generate/messages.js";

const types = ["message", "session", "compaction", "custom", "custom_message", "label", "hologram"];
const time = fc.constantFrom(
  "2026-01-05T09:00:01.000Z",
  "2026-01-05",
  "noon",
  1_767_603_601_000,
  -0.5,
  1e300,
);
const ext = fc.constantFrom(
  {},
  { pi: { type: "message", lacks: ["id"] } },
  { cline: { a: 1 } },
  { pi: 1 },
  7,
);
const identity = {
  id: fc.oneof(fc.constantFrom("a", "session"), json),
  parentId: fc.constantFrom(null, "a", 3),
};

const inner = fc
  .tuple(
    fc.oneof(
      userMessage,
      assistantMessage,
      fc.record({
        role: fc.constantFrom("custom", "hookMessage", "session", "compaction", "note", "toString"),
      }),
    ),
    fc.record(
      {
        ...identity,
        timestamp: time,
        ext,
        customType: fc.constantFrom("x", "pi/label"),
        summary: json,
        data: json,
      },
      { requiredKeys: [] },
    ),
  )
  .map(([message, more]): object => ({ ...message, ...more }));

const entry = fc
  .tuple(
    fc.constantFrom(...types),
    fc.record(
      {
        ...identity,
        timestamp: time,
        message: fc.oneof({ weight: 4, arbitrary: inner }, json),
        ext,
        sender: fc.constantFrom("ada", 1),
        version: fc.constantFrom(1, 3),
        cwd: fc.constantFrom("", "/"),
        customType: fc.constantFrom("x", "pi/label", "pi/custom", "pi/", 5),
        content: fc.constantFrom("", null, [], [{ type: "hologram" }]),
        data: fc.oneof(json, fc.constantFrom({ type: "x" }, { targetId: "a" })),
        display: fc.constantFrom(true, false, "yes"),
        details: json,
        summary: fc.constantFrom("", "s", null),
        firstKeptEntryId: fc.constantFrom("a", null),
        absent: json,
        lacks: fc.constantFrom(["timestamp"], 1),
        fields: json,
        __proto__: json,
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  )
  // As JSON.parse would give it.
  .map(([type, fields]) => JSON.parse(JSON.stringify({ type, ...fields })));

test("an entry of any fields comes back as it was, or is refused", () => {
  const seen = { exact: 0, refused: 0 };
  fc.assert(
    fc.property(entry, (record) => {
      try {
        const messages = pi.decode([record]).map(({ message }) => message);
        expect(pi.encode(messages)).toEqual([record]);
        const [again] = pi.decode(pi.encode(messages));
        expect(again?.message).toEqual(messages[0]);
        seen.exact++;
      } catch (error) {
        if (!(error instanceof DragomanError)) throw error;
        expect(error.at).toMatch(/^\/0/);
        seen.refused++;
      }
    }),
    { numRuns: 1000 },
  );
  expect(seen.exact).toBeGreaterThan(500);
  expect(seen.refused).toBeGreaterThan(10);
});
