import { expect, test } from "vitest";
import type { Ext } from "../types.js";
import { folderOf } from "./folder.js";

test.each<[string, Ext | undefined, string | undefined]>([
  ["none", undefined, undefined],
  ["none among other notes", { synthesised: ["/timestamp"], a: { version: 1 }, b: 7 }, undefined],
  ["a note", { a: { version: 1 }, b: { cwd: "/work" } }, "/work"],
  ["a noted field", { a: { fields: { cwd: "/work" } } }, "/work"],
  ["a number", { a: { cwd: 7 } }, undefined],
])("the folder of a session with %s", (_, ext, folder) => {
  expect(folderOf({ role: "session", timestamp: 1, ...(ext === undefined ? {} : { ext }) })).toBe(folder);
});
