import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { asideName } from "./aside.js";
import { leftovers, sweepHome } from "./leftovers.js";

const inHome = folderForEachTest();
const DAY_MS = 24 * 3_600_000;

function put(...path: string[]): string {
  const file = inHome(...path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "x");
  return file;
}

/** A name as a process of this computer that has ended would have made it. No process has this number. */
function ofTheDead(name = asideName()): string {
  return name.replace(/\.\d+\.(\d+\.[0-9a-f]{8})$/, ".4194399.$1");
}

test("what a process that is gone was writing is found and removed, wherever it is in the home", async () => {
  const left = [
    put(ofTheDead()),
    put("agents", "main", ofTheDead(), "agent.main.main"),
    put("agents", "main", "keys", ofTheDead()),
    put("agents", "main", "sessions", ofTheDead()),
    put("channels", "webhook", "crm", ofTheDead()),
  ];
  put("config.json");
  const found = await leftovers(inHome());
  expect(found.sort()).toEqual(left.map((path, at) => (at === 1 ? dirname(path) : path)).sort());
  await sweepHome(inHome());
  expect(await leftovers(inHome())).toEqual([]);
  expect(readdirSync(inHome()).sort()).toEqual(["agents", "channels", "config.json"]);
});

test("what a living process writes, and what others have named, stays", async () => {
  put(asideName());
  put("agents", "main", "sessions", "~notes");
  put("agents", "main", "workspace", ofTheDead());
  const elsewhere = put(asideName().replace(/[0-9a-f]{8}$/, "00000000"));
  expect(await leftovers(inHome())).toEqual([]);
  const old = new Date(Date.now() - DAY_MS - 60_000);
  utimesSync(elsewhere, old, old);
  expect(await leftovers(inHome())).toEqual([elsewhere]);
});

test("a name without a process is left behind once it is a day old", async () => {
  const file = put("~01JZZZZZZZZZZZZZZZZZZZZZZZ");
  expect(await leftovers(inHome())).toEqual([]);
  const old = new Date(Date.now() - DAY_MS - 60_000);
  utimesSync(file, old, old);
  expect(await leftovers(inHome())).toEqual([file]);
});
