import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convert } from "../../src/convert/convert.js";
import { detect, knownName, load } from "../../src/convert/detect.js";
import { dialects } from "../../src/convert/dialects.js";
import { isLeafNote } from "../../src/convert/leaf.js";
import { Pipe } from "../../src/convert/pipe.js";
import type { Decoded } from "../../src/core/dialect.js";
import { type AgentMessage, DragomanError, isObject, type Loss } from "../../src/core/index.js";
import type { DialectName } from "../../src/dialects/registry.js";
import { bytesOf, cutAt, positionsWithin } from "../generate/chunks.js";
import { conversation, transcript } from "../generate/conversations.js";
import { mutation } from "../generate/mutations.js";
import { isSoak, runs } from "../generate/runs.js";

/** A file, or a text, as the JSON it holds: spelling and white space do not count. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line));
  }
}

/** Dialects that a conversation can go through and come back from. */
export const bothWays = (await dialects())
  .filter(({ reads, writes }) => reads && writes)
  .map(({ name }) => knownName(name));

/** The dialects that a fixture goes through: a share for each, so that together they go through all. */
function sharesOf(fixtures: readonly string[]): [file: string, others: DialectName[]][] {
  const count = isSoak ? 1 : Math.min(fixtures.length, bothWays.length);
  return fixtures.map((file, index) => [file, bothWays.filter((_, at) => (at - index) % count === 0)]);
}

const folder = (name: string) => fileURLToPath(new URL(`../../conformance/${name}/`, import.meta.url));

function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path).filter((file) => /\.jsonl?$/.test(file) && file !== "expected.json");
}

/** Every law of a dialect, over its fixtures and over generated conversations. */
export function dialectLaws(name: DialectName): void {
  const fixtures = filesIn(folder(name));
  const read = (file: string) => readFileSync(join(folder(name), file), "utf8");

  describe(`${name}: the fixtures`, () => {
    test("there are at least eight", () => expect(fixtures.length).toBeGreaterThanOrEqual(8));

    test.each(fixtures)("%s is recognised", async (file) => {
      const [first, second] = await detect(read(file));
      expect(first?.dialect).toBe(name);
      if (second !== undefined) expect(second.confidence).toBeLessThan(first?.confidence ?? 0);
    });

    // Live streams end up as the state they amount to, so only that state is written back.
    test.each(fixtures.filter((file) => !file.includes(".live.")))(
      "%s comes back as it was",
      async (file) => {
        const { output, losses } = await convert(read(file), { from: name, to: name });
        expect(jsonOf(output)).toEqual(jsonOf(read(file)));
        expect(losses).toEqual([]);
      },
    );

    test.each(fixtures)("%s decodes to what the file beside it says", async (file) => {
      const { output } = await convert(read(file), { from: name, to: "openclaw" });
      await expect(output).toMatchFileSnapshot(
        join(folder(name), "decoded", `${file.replace(/\.jsonl?$/, "")}.jsonl`),
      );
    });

    test.each(fixtures)("%s is a line for each message, if the dialect has a parent key", async (file) => {
      const { branches, parentKey, framing, decode, joins } = await load(name);
      if (branches) expect(framing.kind).not.toBe("frames");
      if (parentKey === undefined) return;
      expect(framing.kind).toBe("lines");
      const lines = [jsonOf(read(file))].flat().filter(isObject);
      for (const [index, line] of lines.entries()) {
        const last = lines[index - 1] ?? line;
        expect(joins(last, line, last)).toBe(false);
        const messages = decode([line]).map(({ message }) => message);
        if (messages.some(({ parentId }) => parentId !== undefined)) expect(line).toHaveProperty(parentKey);
      }
    });

    test.each(fixtures)("%s is the same tree when it is skimmed, if the dialect can", async (file) => {
      const { skim, decode, leafRole } = await load(name);
      if (skim === undefined) return;
      const lines = [jsonOf(read(file))].flat().filter(isObject);
      const tree = ({ message, record }: Decoded) => {
        const { role, id, parentId } = message;
        return { record, role, id, parentId, leafRole: leafRole?.(message) };
      };
      expect(skim(lines).map(tree)).toEqual(decode(lines).map(tree));
    });

    test.each(fixtures)(
      "%s means the same when it is read without notes, if the dialect can",
      async (file) => {
        const { decode, decodeWritten } = await load(name);
        if (decodeWritten === undefined) return;
        const lines = [jsonOf(read(file))].flat().filter(isObject);
        expect(decodeWritten(lines).map((one) => withoutNotes(one, name))).toEqual(
          decode(lines).map((one) => withoutNotes(one, name)),
        );
      },
    );

    // A dialect that is only read cannot be written again from another.
    test.each(bothWays.includes(name) ? sharesOf(fixtures) : [])(
      "%s through other dialects and back, with escrow",
      async (file, others) => {
        const { output: source } = await convert(read(file), { from: name, to: name });
        for (const other of others) {
          const there = await convert(source, { from: name, to: other, escrow: true });
          const back = await convert(there.output, { from: other, to: name, escrow: true });
          expect(jsonOf(back.output), other).toEqual(jsonOf(source));
        }
      },
    );
  });

  describe(`${name}: what is refused`, () => {
    const rejected = join(folder(name), "rejected");
    const expected: Record<string, object> = existsSync(join(rejected, "expected.json"))
      ? JSON.parse(readFileSync(join(rejected, "expected.json"), "utf8"))
      : {};
    test("every refused file has its expectation, and there are some", () => {
      expect(Object.keys(expected).sort()).toEqual(filesIn(rejected).sort());
      expect(Object.keys(expected).length).toBeGreaterThanOrEqual(3);
    });
    test.each(Object.keys(expected))("%s", async (file) => {
      const input = readFileSync(join(rejected, file));
      const failure = await convert(input, { from: name, to: "openclaw" }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(DragomanError);
      expect(failure).toMatchObject(expected[file] ?? {});
    });
  });

  test.each(bothWays.includes(name) ? [] : sharesOf(fixtures))(
    `${name}: %s as other dialects reads as the model does, or the ledger names it`,
    async (file, others) => {
      const { output } = await convert(read(file), { from: name, to: "openclaw" });
      const messages = jsonLines(output) as AgentMessage[];
      for (const other of others) {
        const there = await convert(output, { from: "openclaw", to: other });
        const back = await convert(there.output, { from: other, to: "openclaw" });
        const returned = (jsonLines(back.output) as object[]).map(canonical);
        for (const [index, message] of messages.entries()) {
          // `convert` writes a note that names the leaf only where it is needed.
          if (isLeafNote(message) || isNamed(index, there.losses)) continue;
          expect(returned, other).toContain(canonical(message));
        }
      }
    },
  );

  // A dialect that is only read has no generated conversations.
  describe.runIf(bothWays.includes(name))(`${name}: generated conversations`, () => {
    test("come back as they were, or the ledger names the message", async () => {
      const seen = { messages: 0, exact: 0, named: 0 };
      await fc.assert(
        fc.asyncProperty(conversation, async (messages) => {
          const there = await convert(transcript(messages), { from: "openclaw", to: name });
          const back = await convert(there.output, { from: name, to: "openclaw" });
          const unexplained = messages.filter((_, index) => !isNamed(index, there.losses)).map(plain);
          const returned = (jsonLines(back.output) as object[]).map(plain);
          seen.messages += messages.length;
          seen.exact += unexplained.length;
          seen.named += messages.length - unexplained.length;
          // What the ledger does not mention must be there, unchanged and in order.
          let from = 0;
          for (const message of unexplained) {
            const at = returned.findIndex((other, index) => index >= from && equal(other, message));
            expect(at, JSON.stringify(message)).toBeGreaterThanOrEqual(from);
            from = at + 1;
          }
          if (there.losses.length === 0) expect(returned).toEqual(messages.map(plain));
        }),
        { numRuns: runs(150, 8) },
      );
      expect(seen.messages).toBeGreaterThan(runs(300, 8));
      expect(seen.exact + seen.named).toBe(seen.messages);
    });

    test("come back identical with escrow, without losses", async () => {
      let messagesSeen = 0;
      await fc.assert(
        fc.asyncProperty(conversation, async (messages) => {
          const there = await convert(transcript(messages), { from: "openclaw", to: name, escrow: true });
          const back = await convert(there.output, { from: name, to: "openclaw" });
          expect(jsonLines(back.output)).toEqual(jsonLines(transcript(messages)));
          expect(there.losses).toEqual([]);
          messagesSeen += messages.length;
        }),
        { numRuns: runs(150, 8) },
      );
      expect(messagesSeen).toBeGreaterThan(runs(300, 8));
    });

    test("written once, they are written the same again", async () => {
      await fc.assert(
        fc.asyncProperty(conversation, async (messages) => {
          const first = await convert(transcript(messages), { from: "openclaw", to: name });
          const second = await convert(first.output, { from: name, to: name });
          expect(jsonOf(second.output)).toEqual(jsonOf(first.output));
          expect(second.losses).toEqual([]);
        }),
        { numRuns: runs(105, 8) },
      );
    });

    test("do not depend on how the bytes are cut", async () => {
      const [from, to] = [await load(name), await load("openclaw")];
      let cuts = 0;
      await fc.assert(
        fc.asyncProperty(conversation, fc.array(fc.nat()), async (messages, positions) => {
          const { output } = await convert(transcript(messages), { from: "openclaw", to: name });
          const bytes = bytesOf(output);
          const run = (chunks: Uint8Array[]) => {
            const texts: string[] = [];
            const losses: Loss[] = [];
            const onText = (text: string) => texts.push(text);
            const pipe = new Pipe({ from, to, onText, onLoss: (loss) => losses.push(loss) });
            for (const chunk of chunks) pipe.push(chunk);
            pipe.finish();
            return { text: texts.join(""), losses };
          };
          const chunks = cutAt(bytes, positionsWithin(bytes, positions));
          expect(run(chunks)).toEqual(run([bytes]));
          if (chunks.length > 1) cuts++;
        }),
        { numRuns: runs(75, 8) },
      );
      expect(cuts).toBeGreaterThan(runs(24, 8));
    });
  });

  test(`${name}: a damaged input ends in a result or a DragomanError`, async () => {
    const texts = fixtures.map(read);
    const ends = { results: 0, errors: 0 };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), mutation, async (text, mutate) => {
        try {
          await convert(mutate(bytesOf(text)), { from: name, to: "openclaw" });
          ends.results++;
        } catch (error) {
          expect(error).toBeInstanceOf(DragomanError);
          ends.errors++;
        }
      }),
      { numRuns: runs(500) },
    );
    expect(ends.results + ends.errors).toBe(runs(500));
    // An accident spoils a line, but all of a document.
    const { framing } = await load(name);
    expect(ends.results).toBeGreaterThan(framing.kind === "document" ? 0 : runs(20));
  });
}

function jsonLines(text: string): unknown[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** A value without the notes of a dialect in any `ext`. */
function withoutNotes(value: unknown, dialect: string): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => {
      if (key !== "ext" || !isObject(inner)) return inner;
      const { [dialect]: _, ...others } = inner;
      return Object.keys(others).length === 0 ? undefined : others;
    }),
  );
}

function isNamed(index: number, losses: readonly Loss[]): boolean {
  return losses.some(({ at }) => at === `/${index}` || at.startsWith(`/${index}/`));
}

/** As JSON has it: keys in one order, nothing undefined. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function equal(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1))
      : inner,
  );
}
