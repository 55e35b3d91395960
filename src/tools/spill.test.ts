import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folderForEachTest } from "../../test/support/temporary-folder.js";
import { Spill } from "./spill.js";

const path = folderForEachTest();

/** What is in the file, if there is one. */
async function spilt(spill: Spill, ...pieces: string[]): Promise<string | undefined> {
  for (const piece of pieces) await spill.push(piece);
  await spill.close();
  return spill.path === undefined ? undefined : readFileSync(spill.path, "utf8");
}

test("an output that can be shown whole makes no file; one character more does, with all of it", async () => {
  expect(await spilt(new Spill(path("out"), 6, 100), "abc", "def")).toBeUndefined();
  expect(existsSync(path("out"))).toBe(false);
  expect(await spilt(new Spill(path("out"), 6, 100), "abc", "def", "g")).toBe("abcdefg");
});

test.each([
  [9, ["abc", "def", "ghi"], "abcdefghi", false],
  [8, ["abc", "def", "ghi"], "abcdefgh", true],
  [8, ["abc", "def", "ghi", "jkl"], "abcdefgh", true],
  [3, ["abcdef"], "abc", true],
])(
  "a file of %i bytes holds no more, in however many pieces it comes",
  async (room, pieces, text, overflowed) => {
    const spill = new Spill(path("out"), 2, room);
    expect([await spilt(spill, ...pieces), spill.overflowed]).toEqual([text, overflowed]);
  },
);
