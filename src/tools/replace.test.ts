import { readFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { canRecordSteps, recordSteps } from "../../test/support/durable-steps.js";
import { folderForEachTest } from "../../test/support/temporary-folder.js";
import { failureOf } from "../../test/support/tool-call.js";
import { Workspace } from "./workspace.js";

const path = folderForEachTest();

test.skipIf(!canRecordSteps)("a file is replaced only by one that is on the disk", async () => {
  writeFileSync(path("a.txt"), "old");
  const workspace = new Workspace(path());
  const steps = await recordSteps(path());
  await workspace.replace(workspace.locate("a.txt"), Buffer.from("new"));
  expect(steps).toEqual(["sync .dragoman-ID.tmp"]);
  expect(readFileSync(path("a.txt"), "utf8")).toBe("new");
});

const keepTime = (change: () => void) => () => {
  const { atime, mtime } = statSync(path("a.txt"));
  change();
  utimesSync(path("a.txt"), atime, mtime);
};

test.each<[string, () => void, string]>([
  ["only its time is another", () => utimesSync(path("a.txt"), 9, 9), "old"],
  ["only its size is another", keepTime(() => writeFileSync(path("a.txt"), "longer")), "longer"],
  [
    "it is another file, of the same time and size",
    keepTime(() => {
      writeFileSync(path("b.txt"), "abc");
      renameSync(path("b.txt"), path("a.txt"));
    }),
    "abc",
  ],
])("what somebody else changed meanwhile is not overwritten, also when %s", async (_, change, text) => {
  writeFileSync(path("a.txt"), "old");
  // Whole seconds, which every file system keeps as they are.
  utimesSync(path("a.txt"), 5, 5);
  const workspace = new Workspace(path());
  const location = workspace.locate("a.txt");
  const expected = await workspace.open(location, async ({ info }) => info);
  change();
  expect(await failureOf(workspace.replace(location, Buffer.from("new"), expected))).toBe(
    'tools/changed: "a.txt" was changed by another program in the meantime; read it again',
  );
  expect(readFileSync(path("a.txt"), "utf8")).toBe(text);
});
