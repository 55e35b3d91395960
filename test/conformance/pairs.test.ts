import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convert } from "../../src/convert/convert.js";
import { type DialectName, registry } from "../../src/dialects/registry.js";
import { conversation, transcript } from "../generate/conversations.js";
import { jsonOf } from "./dialect-laws.js";

const names = Object.keys(registry) as DialectName[];
const pairs = names.flatMap((from) => names.map((to) => [from, to] as const));

describe("there and back", () => {
  test.each(pairs)("%s → %s", async (from, to) => {
    const seen = { runs: 0, messages: 0, lossless: 0, ledgered: 0 };
    await fc.assert(
      fc.asyncProperty(conversation, async (messages) => {
        const { output: source } = await convert(transcript(messages), { from: "openclaw", to: from });

        const sealed = await convert(source, { from, to, escrow: true });
        const opened = await convert(sealed.output, { from: to, to: from, escrow: true });
        expect(jsonOf(opened.output)).toEqual(jsonOf(source));

        const plain = await convert(source, { from, to });
        const back = await convert(plain.output, { from: to, to: from });
        const same = isDeepStrictEqual(jsonOf(back.output), jsonOf(source));
        if (!same) expect([...plain.losses, ...back.losses]).not.toEqual([]);
        seen.runs++;
        seen.messages += messages.length;
        if (plain.losses.length === 0) seen.lossless++;
        else seen.ledgered++;
      }),
      { numRuns: 25 },
    );
    expect(seen.runs).toBe(25);
    expect(seen.messages).toBeGreaterThan(25);
    expect(seen.lossless + seen.ledgered).toBe(25);
  });
});
