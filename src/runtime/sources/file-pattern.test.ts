import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { FilePattern } from "./file-pattern.js";
import { NamePattern } from "./name-pattern.js";

const UUID = "0f0d2f4e-1111-4222-8333-444455556666";

function folderWith(...paths: string[]): string {
  const folder = temporaryFolder();
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
  return folder;
}

async function found(
  pattern: string,
  folder: string,
  onUnreadable: (reason: string) => void = (reason) => expect.fail(reason),
): Promise<[string, string | undefined][]> {
  const files: [string, string | undefined][] = [];
  for await (const { path, id } of new FilePattern(pattern).filesIn(folder, onUnreadable)) {
    files.push([relative(folder, path), id]);
  }
  return files;
}

test("a name can contain the id, and other names do not match", async () => {
  const folder = folderWith(
    `a/${UUID}.jsonl`,
    "a/agent-1.jsonl",
    `a/${UUID}.json`,
    `${UUID}.jsonl`,
    "a/b/c.jsonl",
  );
  expect(await found("*/{uuid}.jsonl", folder)).toEqual([[`a/${UUID}.jsonl`, UUID]]);
  expect(await found("*/{id}.jsonl", folder)).toEqual([
    [`a/${UUID}.jsonl`, UUID],
    ["a/agent-1.jsonl", "agent-1"],
  ]);
});

test("a folder can be the id", async () => {
  const folder = folderWith("s1/events.jsonl", "s2/other.jsonl");
  expect(await found("{id}/events.jsonl", folder)).toEqual([["s1/events.jsonl", "s1"]]);
});

test("** matches any folders, and none", async () => {
  const folder = folderWith("r-1.jsonl", "2026/01/02/r-2.jsonl", "2026/x.txt");
  expect(await found("**/r-{id}.jsonl", folder)).toEqual([
    ["r-1.jsonl", "1"],
    ["2026/01/02/r-2.jsonl", "2"],
  ]);
});

test("a file in the place of a folder of sessions contains them", async () => {
  const folder = folderWith("a.db", "b.db/s1", "c.txt");
  const files: [string, boolean][] = [];
  for await (const { path, isContainer } of new FilePattern("*.db/{id}").filesIn(folder, expect.fail)) {
    files.push([relative(folder, path), isContainer]);
  }
  expect(files).toEqual([
    ["a.db", true],
    ["b.db/s1", false],
  ]);
  expect(await found("*.db/{id}.jsonl", folder)).toEqual([]);
});

test("a pattern may have no place for the id, and other characters stand for themselves", async () => {
  const folder = folderWith("a+b.json", "aab.json");
  expect(await found("a+b.*", folder)).toEqual([["a+b.json", undefined]]);
});

test("links are not followed, and a missing folder has no files", async () => {
  const folder = folderWith("a/x.jsonl");
  symlinkSync(join(folder, "a"), join(folder, "b"));
  symlinkSync(join(folder, "a/x.jsonl"), join(folder, "a/y.jsonl"));
  expect(await found("*/{id}.jsonl", folder)).toEqual([["a/x.jsonl", "x"]]);
  expect(await found("*", join(folder, "missing"))).toEqual([]);
});

test("a folder that cannot be read is reported, and the others are read", async () => {
  const folder = folderWith("file", "a/x.jsonl");
  const reasons: string[] = [];
  expect(await found("*", join(folder, "file"), (reason) => reasons.push(reason))).toEqual([]);
  expect(reasons).toEqual([expect.stringContaining("not a directory")]);
});

test.each([
  ["rollout-*-{uuid}*.jsonl", `rollout-2026-01-01T10-00-00-${UUID}_9.jsonl`, { id: UUID }],
  ["*_{id}.jsonl", "2026_b_c.jsonl", { id: "c" }],
  ["{id}.json", ".json", undefined],
  ["*", "", {}],
  ["a.json", "axjson", undefined],
  [`${"*a".repeat(40)}b`, "a".repeat(200), undefined],
])("the name pattern %s and %s", (pattern, name, expected) => {
  expect(new NamePattern(pattern).match(name)).toEqual(expected);
});
