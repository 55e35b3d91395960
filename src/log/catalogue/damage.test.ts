import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SessionFolder } from "../../../test/fakes/session-folder.js";
import { openCatalogue } from "./catalogue.js";
import type { Catalogue } from "./types.js";

let folder: SessionFolder;
let catalogue: Catalogue;
let notes: string[];

beforeEach(() => {
  folder = new SessionFolder();
  notes = [];
  catalogue = openCatalogue({ ...folder.options(), onNote: (text) => notes.push(text) });
});

afterEach(async () => {
  await catalogue.close();
  folder.remove();
});

function header(id: string, timestamp: number) {
  return { role: "session", id, timestamp };
}

function user(text: string, timestamp: number) {
  return { role: "user", content: text, timestamp };
}

async function found(query: string): Promise<string[]> {
  const { hits } = await catalogue.search(query);
  return hits.map(({ session, position }) => `${session}@${position}`).sort();
}

describe("an index that cannot be used is rebuilt", () => {
  const rows = () => join(folder.home, "index", "sessions.rows");
  const segment = () => join(folder.home, "index", "texts", "1.segment");

  beforeEach(async () => {
    folder.append("A", [header("A", 1), user("alpha", 2)]);
    await catalogue.update();
  });

  test.each([
    ["not an index", () => writeFileSync(rows(), "this is not an index".repeat(1000))],
    ["cut off in the first lines", () => truncateSync(rows(), 40)],
    ["with a line that is not JSON", () => writeFileSync(rows(), changed('"session"', "session"))],
    ["with a line that is not known", () => writeFileSync(rows(), changed('"session"', '"other"'))],
    ["with a session that is cut off", () => writeFileSync(rows(), changed("\t", " "))],
    ["of another version", () => writeFileSync(rows(), changed("4", "99"))],
    ["without a segment", () => rmSync(segment())],
    ["with half a segment", () => truncateSync(segment(), 200)],
    ["with a segment of zeros", () => writeFileSync(segment(), Buffer.alloc(300))],
  ])("%s", async (_, damage) => {
    damage();
    const reader = openCatalogue({ ...folder.options(), onNote: (text) => notes.push(text) });
    const { hits } = await reader.search("alpha");
    expect(hits.map(({ position }) => position)).toEqual([42]);
    expect(notes.length).toBe(1);
    expect(notes[0]).toMatch(/^rebuilding the session index: /);
  });

  function changed(from: string, to: string): string {
    return readFileSync(rows(), "utf8").replace(from, to);
  }

  test("changes that a killed process has not finished do not count, and are overwritten", async () => {
    appendFileSync(rows(), '["drop",1,1]\n["segm');
    expect(await found("alpha")).toEqual(["A@42"]);
    folder.append("B", [header("B", 1), user("alpha", 3)]);
    await catalogue.update();
    expect(await found("alpha")).toEqual(["A@42", "B@42"]);
    const reader = openCatalogue(folder.options());
    expect((await reader.list()).map(({ id }) => id)).toEqual(["B", "A"]);
    expect(notes).toEqual([]);
  });

  test("a segment that a killed process left is overwritten", async () => {
    writeFileSync(join(folder.home, "index", "texts", "2.segment"), "left");
    folder.append("A", [user("beta", 3)]);
    await catalogue.update();
    expect(await found("beta")).toEqual(["A@90"]);
  });

  test("the database of earlier versions is deleted", async () => {
    rmSync(join(folder.home, "index"), { recursive: true });
    mkdirSync(join(folder.home, "index"));
    writeFileSync(join(folder.home, "index", "sessions.db"), "SQLite format 3");
    expect(await found("alpha")).toEqual(["A@42"]);
    expect(readdirSync(join(folder.home, "index")).sort()).toEqual(["sessions.rows", "texts"]);
    expect(notes).toEqual([]);
  });

  test("a deleted one is not worth a note", async () => {
    rmSync(join(folder.home, "index"), { recursive: true });
    expect(await found("alpha")).toEqual(["A@42"]);
    expect(notes).toEqual([]);
  });

  test("one that can never be made is an error", async () => {
    rmSync(join(folder.home, "index"), { recursive: true });
    const broken = openCatalogue({
      ...folder.options(),
      withLock: async (work) => {
        await mkdir(join(folder.home, "index"), { recursive: true });
        writeFileSync(rows(), "broken each time it is read".repeat(1000));
        return work();
      },
    });
    await expect(broken.update()).rejects.toMatchObject({ code: "log/no-index" });
  });
});

test("where the home cannot be written to, the index is a temporary copy", async () => {
  folder.append("A", [header("A", 1000), user("alpha", 1)]);
  await catalogue.update();
  folder.append("B", [header("B", 2000), user("beta", 2)]);
  const before = readFileSync(join(folder.home, "index", "sessions.rows"));
  const withLock = async () => {
    throw Object.assign(new Error("EROFS: read-only file system, link"), { code: "EROFS", syscall: "link" });
  };
  const reading = openCatalogue({ ...folder.options(), withLock, onNote: (text) => notes.push(text) });
  expect(await reading.update()).toEqual({ sessions: 2, changed: 1, removed: 0 });
  const [list, { hits }] = await Promise.all([reading.list(), reading.search("beta")]);
  expect(list.map(({ id }) => id)).toEqual(["B", "A"]);
  expect(hits.map(({ session }) => session)).toEqual(["B"]);
  await reading.close();
  expect(notes).toEqual(["the home is read-only: its index is updated in a temporary copy"]);
  expect(readFileSync(join(folder.home, "index", "sessions.rows"))).toEqual(before);
});
