import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convert } from "../../src/convert/convert.js";
import { MessageDecoder, type SourceMessage } from "../../src/convert/decode.js";
import { load } from "../../src/convert/detect.js";
import { recordReader } from "../../src/convert/read.js";
import type { Loss } from "../../src/core/index.js";
import type { DialectName } from "../../src/dialects/registry.js";
import { bytesOf } from "../generate/chunks.js";
import { conversation, transcript } from "../generate/conversations.js";
import { isSoak } from "../generate/runs.js";
import { bothWays, jsonOf } from "./dialect-laws.js";

const pairs = bothWays.flatMap((from, row) =>
  bothWays.map((to, column) => [from, to, row * bothWays.length + column] as const),
);
/** Those that can say every field of some messages. Cline and clawtools leave out a field of nearly each. */
const articulate = new Set<DialectName>(["openclaw", "openclaw-turns", "pi", "timbal"]);

/** Each pair has conversations of its own. */
const numRuns = isSoak ? 25 : 1;
const { seed = 0 } = fc.readConfigureGlobal();
/** What all pairs together exercised. */
const total = { runs: 0, messages: 0, articulate: 0, exact: 0, returned: 0 };

describe("there and back", () => {
  test.each(pairs)("%s → %s", async (from, to, number) => {
    const isArticulate = from === to || (articulate.has(from) && articulate.has(to));
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(conversation, async (messages) => {
        const { output: source } = await convert(transcript(messages), { from: "openclaw", to: from });

        const sealed = await convert(source, { from, to, escrow: true });
        const opened = await convert(sealed.output, { from: to, to: from, escrow: true });
        expect(jsonOf(opened.output)).toEqual(jsonOf(source));

        const plain = await convert(source, { from, to });
        const exact = arrived(
          await messagesOf(source, from),
          await messagesOf(plain.output, to),
          plain.losses,
        );
        const back = await convert(plain.output, { from: to, to: from });
        const returned = arrived(exact, await messagesOf(back.output, from), back.losses);
        runs++;
        total.messages += messages.length;
        if (!isArticulate) return;
        total.articulate++;
        total.exact += exact.length;
        total.returned += returned.length;
      }),
      { numRuns, seed: seed + number },
    );
    expect(runs).toBe(numRuns);
    total.runs += runs;
  });

  test("had enough messages, and kept enough of them exactly", () => {
    expect(total.messages).toBeGreaterThan(total.runs);
    expect(total.exact).toBeGreaterThan(total.articulate * 0.4);
    expect(total.returned).toBeGreaterThan(total.articulate * 0.4);
  });
});

async function messagesOf(text: string, name: DialectName): Promise<SourceMessage[]> {
  const dialect = await load(name);
  const reader = recordReader(dialect.framing);
  const decoder = new MessageDecoder(dialect);
  const records = [...reader.push(bytesOf(text)), ...reader.finish()];
  return [...records.flatMap((record) => decoder.push(record)), ...decoder.finish()];
}

/** What the ledger does not mention must be there, unchanged and in order; as it stands there. */
function arrived(
  source: readonly SourceMessage[],
  target: readonly SourceMessage[],
  losses: readonly Loss[],
): SourceMessage[] {
  let from = 0;
  return source
    .filter(({ origin }) => !isNamed(origin?.at ?? "", losses))
    .flatMap(({ message }) => {
      const at = target.findIndex(
        (other, index) => index >= from && isDeepStrictEqual(other.message, message),
      );
      expect(at, JSON.stringify(message)).toBeGreaterThanOrEqual(from);
      from = at + 1;
      return target.slice(at, at + 1);
    });
}

function isNamed(record: string, losses: readonly Loss[]): boolean {
  return losses.some(({ at }) => at === record || at.startsWith(`${record}/`));
}
