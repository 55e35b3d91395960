import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { afterEach, expect, test, vi } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { writeWhole } from "./whole-file.js";

const path = folderForEachTest();

afterEach(() => vi.restoreAllMocks());

/** Each file that is synced, seen at that moment: what the folder holds by then. */
async function watchSyncs(fail?: Error): Promise<Record<string, string>[]> {
  const handle = await open(path(), "r");
  await handle.close();
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  const seen: Record<string, string>[] = [];
  vi.spyOn(prototype, "sync").mockImplementation(async () => {
    seen.push(contents());
    if (fail !== undefined) throw fail;
  });
  return seen;
}

function contents(): Record<string, string> {
  const names = readdirSync(path()).sort();
  return Object.fromEntries(
    names.map((name) => [name.startsWith("~") ? "~" : name, readFileSync(path(name), "utf8")]),
  );
}

test("a file has its name only when its bytes are on the disk", async () => {
  writeFileSync(path("tokens.json"), "old");
  const synced = await watchSyncs();
  await writeWhole(path("tokens.json"), "new");
  expect(synced).toEqual([{ "tokens.json": "old", "~": "new" }]);
  expect(contents()).toEqual({ "tokens.json": "new" });
});

test("a disk that does not keep the bytes leaves the file as it was, and nothing beside it", async () => {
  writeFileSync(path("tokens.json"), "old");
  await watchSyncs(new Error("the disk is gone"));
  await expect(writeWhole(path("tokens.json"), "new")).rejects.toThrow("the disk is gone");
  expect(contents()).toEqual({ "tokens.json": "old" });
});
