import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { openCells } from "../../log/files/cells.js";
import { PeopleStore } from "./people-store.js";

const path = folderForEachTest();
const FILE = "channels/telegram/default/people.json";

function store(now = () => 5): PeopleStore {
  return new PeopleStore(openCells(path()), "telegram", "default", now);
}

test("what the command line approves, the running gateway knows with its next question", async () => {
  const [gateway, commandLine] = [store(), store()];
  const code = await gateway.requestCode({ id: "7", name: "Ann" }, "m1");
  expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
  expect(await gateway.approved()).toEqual([]);
  expect(await commandLine.approve(code ?? "", true)).toEqual({
    id: "7",
    name: "Ann",
    owner: true,
    since: 5,
  });
  expect(await gateway.approved()).toEqual([{ id: "7", name: "Ann", owner: true, since: 5 }]);
  expect(await gateway.pending()).toEqual([]);
  expect(await commandLine.remove("7")).toBe(true);
  expect(await gateway.approved()).toEqual([]);
  expect(await commandLine.remove("7")).toBe(false);
});

test("only its owner may read it", async () => {
  await store().requestCode({ id: "7" }, "m1");
  expect(statSync(path(FILE)).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path(FILE))).mode & 0o777).toBe(0o700);
});

test("strangers who come at the same time, to several processes, are three at most", async () => {
  const asked = Array.from({ length: 6 }, (_, index) => store().requestCode({ id: `${index}` }, `m${index}`));
  const codes = (await Promise.all(asked)).filter((code) => code !== undefined);
  expect(new Set(codes).size).toBe(3);
  expect((await store().pending()).map(({ code }) => code).sort()).toEqual(codes.sort());
});

test("a stranger who writes on writes nothing to disk", async () => {
  const people = store();
  await people.requestCode({ id: "7" }, "m1");
  const { mtimeMs, ino } = statSync(path(FILE));
  expect(await people.requestCode({ id: "7" }, "m2")).toBeUndefined();
  expect(statSync(path(FILE))).toMatchObject({ mtimeMs, ino });
});

test("a code is forgotten after an hour, and unknown ones are refused", async () => {
  let now = 0;
  const people = store(() => now);
  const code = (await people.requestCode({ id: "7" }, "m1")) ?? "";
  expect(await people.approve("AAAAAAAA", false)).toBeUndefined();
  now = 3_600_000;
  expect(await people.pending()).toEqual([]);
  expect(await people.approve(code, false)).toBeUndefined();
});

test.each([
  "{",
  '{"version":2,"approved":[],"pending":[]}',
  '{"version":1,"approved":[{"id":"","owner":true,"since":1}],"pending":[]}',
  '{"version":1,"approved":[{"id":"7","owner":"yes","since":1}],"pending":[]}',
])("%s is refused, and stays as it is", async (text) => {
  mkdirSync(dirname(path(FILE)), { recursive: true });
  writeFileSync(path(FILE), text, { mode: 0o600 });
  await expect(store().approved()).rejects.toMatchObject({ code: "channel/bad-people" });
  await expect(store().requestCode({ id: "8" }, "m1")).rejects.toMatchObject({ code: "channel/bad-people" });
  expect(readFileSync(path(FILE), "utf8")).toBe(text);
});

test("a file that others may write to is not believed", async () => {
  await store().requestCode({ id: "7" }, "m1");
  chmodSync(path(FILE), 0o620);
  await expect(store().approved()).rejects.toMatchObject({ code: "channel/bad-people" });
});
