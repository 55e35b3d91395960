import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SessionsWatch } from "./sessions-watch.js";

let home: string;
let now: number;
let watch: SessionsWatch;
const path = (id: string) => join(home, "agents", "main", "sessions", `${id}.jsonl`);

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "dragoman-watch-"));
  now = 0;
  mkdirSync(join(home, "agents", "main", "sessions"), { recursive: true });
  for (const id of ["A", "B"]) writeFileSync(path(id), "{}\n");
  watch = new SessionsWatch(home, () => now);
  await watch.begin();
});

afterEach(() => {
  watch.close();
  rmSync(home, { recursive: true });
});

// Elsewhere, changes are reported late, and all files are checked.
describe.skipIf(process.platform !== "linux")("on Linux", () => {
  test("reports files that were changed since it was last asked", async () => {
    expect(await watch.changes()).toEqual(new Set());
    appendFileSync(path("A"), "{}\n");
    expect(await watch.changes()).toEqual(new Set([path("A")]));
    expect(await watch.changes()).toEqual(new Set());
  });

  test.each<[string, () => void]>([
    ["a new file", () => writeFileSync(path("C"), "")],
    ["a deleted file", () => rmSync(path("A"))],
    ["a new agent", () => mkdirSync(join(home, "agents", "other"))],
    ["sessions of Cline", () => mkdirSync(join(home, "data"))],
    ["the passing of a minute", () => (now = 60_000)],
  ])("cannot vouch for the files after %s", async (what, change) => {
    change();
    expect(await watch.changes()).toBeUndefined();
    await watch.begin();
    expect(await watch.changes()).toEqual(what === "sessions of Cline" ? undefined : new Set());
  });

  test("ignores temporary files beside the sessions", async () => {
    writeFileSync(join(home, "agents", "main", "sessions", "x.new"), "");
    expect(await watch.changes()).toEqual(new Set());
  });
});

test("nothing is known before it begins, or in a home of Cline's", async () => {
  expect(await new SessionsWatch(home).changes()).toBeUndefined();
  mkdirSync(join(home, "sessions"));
  await watch.begin();
  expect(await watch.changes()).toBeUndefined();
});
