import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { valuesIn } from "../../../test/support/values-in.js";
import { isLater, Memory } from "./memory.js";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "dragoman-discord-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test("what was noted last is known to the next process", async () => {
  const memory = await Memory.load(valuesIn(folder));
  memory.record("1", "100");
  memory.record("1", "99");
  memory.record("2", "7");
  await memory.save();
  const next = await Memory.load(valuesIn(folder));
  expect([next.last("1"), next.last("2"), next.last("3")]).toEqual(["100", "7", undefined]);
  expect(await readdir(folder)).toEqual(["last-messages.json"]);
});

test("a damaged file is as good as none", async () => {
  await writeFile(join(folder, "last-messages.json"), '{"1":');
  expect((await Memory.load(valuesIn(folder))).channels).toEqual([]);
});

test("only the last thousand channels are remembered", async () => {
  const memory = await Memory.load(valuesIn(folder));
  for (let n = 0; n < 1001; n++) memory.record(String(n), "1");
  await memory.save();
  const kept: object = JSON.parse(await readFile(join(folder, "last-messages.json"), "utf8"));
  expect(Object.keys(kept)).toHaveLength(1000);
  expect(memory.last("0")).toBeUndefined();
});

test("channels that only begin take no room of those in which something was received", async () => {
  const memory = await Memory.load(valuesIn(folder));
  memory.record("direct", "1", { kind: "direct" });
  for (let n = 0; n < 1500; n++) memory.addChannel(String(n), "1", { kind: "server", server: "3" });
  expect([memory.last("direct"), memory.channels.length]).toEqual(["1", 1000]);
});

test("where a channel is, is kept with it; the first version of the file did not know", async () => {
  const old = { "1": "100", "2": { last: "7", kind: "server" }, "3": { last: 7 }, "4": null };
  await writeFile(join(folder, "last-messages.json"), JSON.stringify(old));
  const memory = await Memory.load(valuesIn(folder));
  memory.selectBot("555", 0);
  expect(memory.channels.map((channel) => [channel, memory.last(channel), memory.where(channel)])).toEqual([
    ["1", "100", undefined],
    ["2", "7", undefined],
  ]);
  memory.record("1", "99", { kind: "direct" });
  memory.record("2", "8", { kind: "server", server: "3", parent: "30" });
  await memory.save();
  expect(JSON.parse(await readFile(join(folder, "last-messages.json"), "utf8"))).toEqual({
    "1": { last: "100", kind: "direct", bot: "555" },
    "2": { last: "8", kind: "server", server: "3", parent: "30", bot: "555" },
  });
  const next = await Memory.load(valuesIn(folder));
  next.selectBot("556", 0);
  expect(next.channels).toEqual([]);
});

test("ids are compared as numbers, whatever their length", () => {
  expect([isLater("10", "9"), isLater("9", "10"), isLater("9", "9"), isLater("8", "7")]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test("a channel with a new message is not the oldest any more", async () => {
  const memory = await Memory.load(valuesIn(folder));
  for (let n = 0; n < 1000; n++) memory.record(String(n), "1");
  memory.record("0", "2");
  memory.record("new", "1");
  expect([memory.last("0"), memory.last("1"), memory.last("2")]).toEqual(["2", undefined, "1"]);
  await memory.save();
});
