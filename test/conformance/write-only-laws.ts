import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convert } from "../../src/convert/convert.js";
import { detect, load } from "../../src/convert/detect.js";
import { DragomanError } from "../../src/core/index.js";
import type { DialectName } from "../../src/dialects/registry.js";
import { anything } from "../generate/anything.js";
import { transcript } from "../generate/conversations.js";
import { holds, marked, silent } from "../generate/marked.js";
import { runs } from "../generate/runs.js";

const folder = (name: string) => fileURLToPath(new URL(`../../conformance/${name}/`, import.meta.url));

function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path).filter(
    (file) => /\.\w+$/.test(file) && !/^(PROVENANCE\.md|expected\.json)$/.test(file),
  );
}

/** The laws of a dialect that is only written. Its fixtures are conversations in the model's own format. */
export function writeOnlyLaws(name: DialectName): void {
  const fixtures = filesIn(folder(name)).filter((file) => file.endsWith(".jsonl"));
  const read = (file: string) => readFileSync(join(folder(name), file), "utf8");

  describe(`${name}: the fixtures`, () => {
    test("there are at least eight", () => expect(fixtures.length).toBeGreaterThanOrEqual(8));

    test.each(fixtures)("%s is written as the file beside it", async (file) => {
      const { framing } = await load(name);
      const extension = framing.kind === "text" ? framing.extension : "jsonl";
      const { output, losses } = await convert(read(file), { from: "openclaw", to: name });
      const stem = file.replace(/\.jsonl$/, "");
      await expect(output).toMatchFileSnapshot(join(folder(name), "written", `${stem}.${extension}`));
      await expect(`${JSON.stringify(losses, undefined, 2)}\n`).toMatchFileSnapshot(
        join(folder(name), "losses", `${stem}.json`),
      );
    });

    test.each(fixtures)("%s, when written, is not taken for the dialect", async (file) => {
      const { output } = await convert(read(file), { from: "openclaw", to: name });
      expect((await detect(output)).map(({ dialect }) => dialect)).not.toContain(name);
    });

    test.each(fixtures)("%s cannot be written with escrow", async (file) => {
      const failure = await convert(read(file), { from: "openclaw", to: name, escrow: true }).catch(
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(DragomanError);
      expect(failure).toMatchObject({
        code: "convert/one-way",
        message: `${name} cannot carry escrow, because it is never read back`,
      });
    });
  });

  describe(`${name}: what is refused`, () => {
    const rejected = join(folder(name), "rejected");
    const expected: Record<string, object> = JSON.parse(
      readFileSync(join(rejected, "expected.json"), "utf8"),
    );
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

  test(`${name}: every word of a conversation is in the output, or the ledger names it`, async () => {
    const seen = { marks: 0, written: 0, named: 0 };
    await fc.assert(
      fc.asyncProperty(anything, async (messages) => {
        const source = marked(messages);
        const { output, losses } = await convert(transcript(source.messages), { from: "openclaw", to: name });
        const inMessages = losses.map((loss) => ({ ...loss, at: `/messages${loss.at}` }));
        expect(silent(source.marks, output, inMessages), JSON.stringify({ output, losses })).toEqual([]);
        seen.marks += source.marks.length;
        for (const { word } of source.marks) seen[holds(output, word) ? "written" : "named"]++;
      }),
      { numRuns: runs(80) },
    );
    expect(seen.written).toBeGreaterThan(seen.marks / 4);
    expect(seen.named).toBeGreaterThan(runs(10));
  });
}
