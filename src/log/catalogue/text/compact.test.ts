import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SessionFolder } from "../../../../test/fakes/session-folder.js";
import { openCatalogue } from "../catalogue.js";
import type { Catalogue } from "../types.js";

let folder: SessionFolder;
let catalogue: Catalogue;

beforeEach(() => {
  folder = new SessionFolder();
  catalogue = openCatalogue(folder.options());
});

afterEach(async () => {
  await catalogue.close();
  folder.remove();
});

function segments(): string[] {
  return readdirSync(join(folder.home, "index", "texts")).sort();
}

async function say(id: string, text: string, timestamp: number): Promise<void> {
  folder.append(id, [{ role: "user", content: text, timestamp }]);
  await catalogue.update();
}

async function found(query: string): Promise<number[]> {
  return (await catalogue.search(query)).hits.map(({ timestamp }) => timestamp);
}

test("eight small segments are joined, and their messages keep their order", async () => {
  for (let time = 1; time <= 7; time++) await say("A", "alpha", time);
  expect(segments()).toHaveLength(7);
  await say("A", "alpha", 8);
  expect(segments()).toEqual(["9.segment"]);
  await say("A", "alpha", 9);
  expect(segments()).toEqual(["10.segment", "9.segment"]);
  expect(await found("alpha")).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

test("the text of a deleted session is removed from the disk", async () => {
  for (const id of ["A", "B", "C", "D", "E"])
    folder.append(id, [{ role: "user", content: `of${id}`, timestamp: 1 }]);
  await catalogue.update();
  rmSync(folder.path("A"));
  await catalogue.update();
  const texts = segments().map((name) => readFileSync(join(folder.home, "index", "texts", name), "latin1"));
  expect(texts.join("")).not.toContain("ofA");
  expect(texts.join("")).toContain("ofB");
  for (const id of ["B", "C", "D", "E"]) rmSync(folder.path(id));
  await catalogue.update();
  expect(segments()).toEqual([]);
});

test("a session that is indexed again leaves nothing behind", async () => {
  for (let time = 1; time <= 5; time++) {
    const messages = Array.from({ length: time }, () => ({
      role: "user",
      content: `v${time}`,
      timestamp: time,
    }));
    writeFileSync(folder.path("F", "foreign"), JSON.stringify(messages));
    await catalogue.update();
  }
  expect(await found("v4")).toEqual([]);
  expect(await found("v5")).toEqual([5, 5, 5, 5, 5]);
  expect(segments()).toHaveLength(1);
});
