import { appendFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { Locks } from "../locks/lock.js";
import { SharedFile } from "./shared-file.js";

const path = folderForEachTest();

function sharedFile() {
  let parsed = 0;
  const file = new SharedFile<string>({
    path: path("file"),
    locks: new Locks(path("locks")),
    lock: "file",
    codec: {
      empty: "",
      parse: (text) => {
        parsed++;
        return text;
      },
      print: (text) => text,
      refuse: (_, reason) => new Error(reason),
    },
  });
  return { file, parsed: () => parsed };
}

const keepTime = (change: () => void) => () => {
  const { atime, mtime } = statSync(path("file"));
  change();
  utimesSync(path("file"), atime, mtime);
};

test.each<[string, () => void, string]>([
  ["by its time", () => utimesSync(path("file"), 9, 9), "one"],
  ["by its size", keepTime(() => appendFileSync(path("file"), "more")), "onemore"],
  [
    "because it is another file, of the same time and size",
    keepTime(() => {
      writeFileSync(path("other"), "two", { mode: 0o600 });
      renameSync(path("other"), path("file"));
    }),
    "two",
  ],
])("what another process has changed is read again, and known %s", async (_, change, text) => {
  writeFileSync(path("file"), "one", { mode: 0o600 });
  // Whole seconds, which every file system keeps as they are.
  utimesSync(path("file"), 5, 5);
  const { file, parsed } = sharedFile();
  expect([await file.read(), await file.read(), parsed()]).toEqual(["one", "one", 1]);
  change();
  expect([await file.read(), await file.read(), parsed()]).toEqual([text, text, 2]);
});
