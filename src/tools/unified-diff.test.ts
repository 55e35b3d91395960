import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../test/generate/runs.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { unifiedDiff } from "./unified-diff.js";

function letters(text: string): string {
  return [...text].map((letter) => `${letter}\n`).join("");
}

test.each([
  ["nothing", "abc", "abc", ""],
  ["a line", "abcdefghi", "abcdXfghi", "@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+X\n f\n g\n h\n"],
  ["an insertion into nothing", "", "a", "@@ -0,0 +1,1 @@\n+a\n"],
  ["a deletion of everything", "a", "", "@@ -1,1 +0,0 @@\n-a\n"],
  ["the end", "abcde", "abcdeX", "@@ -3,3 +3,4 @@\n c\n d\n e\n+X\n"],
  [
    "two places far apart",
    "abcdefghijklmn",
    "Xbcdefghijklmn".replace("n", "Y"),
    "@@ -1,4 +1,4 @@\n-a\n+X\n b\n c\n d\n@@ -11,4 +11,4 @@\n k\n l\n m\n-n\n+Y\n",
  ],
  [
    "two places close together",
    "abcdefg",
    "XbcdefY",
    "@@ -1,7 +1,7 @@\n-a\n+X\n b\n c\n d\n e\n f\n-g\n+Y\n",
  ],
])("%s", (_, before, after, hunks) => {
  const header = hunks === "" ? "" : "--- a/f\n+++ b/f\n";
  expect(unifiedDiff("f", letters(before), letters(after))).toBe(header + hunks);
});

test("a missing newline is told", () => {
  expect(unifiedDiff("f", "a\nb", "a\nb\n")).toBe(
    "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
  );
});

test("texts with too many differences are one change", () => {
  const [before, after] = [0, 1].map((odd) =>
    Array.from({ length: 1200 }, (_, i) => (i % 2 === odd ? `same ${i}\n` : `${odd} ${i}\n`)).join(""),
  );
  expect(unifiedDiff("f", before ?? "", after ?? "").match(/^@@.*$/gm)).toEqual(["@@ -1,1200 +1,1200 @@"]);
});

test("git applies what it says", () => {
  const text = fc
    .tuple(fc.array(fc.constantFrom("a", "b", "c", "", "d\r"), { maxLength: 30 }), fc.boolean())
    .map(([lines, ended]) => lines.join("\n") + (ended ? "\n" : ""));
  const folder = temporaryFolder();
  let applied = 0;
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff("f", before, after);
      if (before === after) return diff === "";
      writeFileSync(join(folder, "f"), before);
      execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: folder, input: diff, stdio: "pipe" });
      applied++;
      return readFileSync(join(folder, "f"), "utf8") === after;
    }),
    { numRuns: runs(150) },
  );
  expect(applied).toBeGreaterThan(runs(100));
});
