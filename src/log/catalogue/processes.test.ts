import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SessionFolder } from "../../../test/fakes/session-folder.js";
import { openCatalogue } from "./catalogue.js";

const SESSIONS = 40;
const MESSAGES = 25;
/** The writes of an update: the empty index, the fifteen pieces of a segment, and the rows. */
const FIRST_ROWS = 17;

let folder: SessionFolder;

beforeEach(() => {
  folder = new SessionFolder();
  for (let session = 0; session < SESSIONS; session++) say(`S${session}`, 0);
});

afterEach(() => folder.remove());

function say(id: string, from: number): void {
  const messages = Array.from({ length: MESSAGES }, (_, index) => {
    const number = from + index;
    return {
      role: "user",
      id: `${id}-${number}`,
      content: `alpha n${number} ${"word ".repeat(50)}`,
      timestamp: number,
    };
  });
  folder.append(id, messages);
}

/** Another process that updates the index of the folder. It dies at its n-th write to a file, if it gets that far. */
async function update(dieAt = 0): Promise<string> {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const code = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    import { SessionFolder } from ${url("../../../test/fakes/session-folder.ts")};
    import { openCatalogue } from ${url("./catalogue.ts")};
    const { writeSync } = fs;
    let writes = 0;
    fs.writeSync = (...given) => {
      if (++writes === ${dieAt}) process.kill(process.pid, "SIGKILL");
      return writeSync(...given);
    };
    syncBuiltinESMExports();
    const folder = new SessionFolder(${JSON.stringify(folder.home)});
    const catalogue = openCatalogue({ ...folder.options(), onNote: (text) => console.log(text) });
    await catalogue.update();
    console.log("done");
  `;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const [status, signal] = await once(child, "close");
  return `${output}${signal ?? status}`;
}

interface Sums {
  notes: string[];
  sessions: number;
  messages: number;
  hits: number;
  different: number;
}

/** What an index in this process says after an update: a message that is there twice has two hits. */
async function sums(): Promise<Sums> {
  const notes: string[] = [];
  const catalogue = openCatalogue({ ...folder.options(), onNote: (text) => notes.push(text) });
  await catalogue.update();
  const { sessions, counts } = await catalogue.stats();
  const { hits } = await catalogue.search("alpha", { limit: 100_000 });
  await catalogue.close();
  const different = new Set(hits.map(({ message }) => message)).size;
  return { notes, sessions, messages: counts.user, hits: hits.length, different };
}

test.each([1, 2, 9, FIRST_ROWS, FIRST_ROWS + 1])(
  "killed at its write number %i, another goes on",
  async (dieAt) => {
    expect(await update(dieAt)).toBe("SIGKILL");
    expect(await sums()).toEqual({ notes: [], sessions: 40, messages: 1000, hits: 1000, different: 1000 });
  },
);

test("killed again and again, it ends up the same", async () => {
  expect(await update(FIRST_ROWS)).toBe("SIGKILL");
  expect(await update(5)).toBe("SIGKILL");
  for (let session = 0; session < SESSIONS; session++) say(`S${session}`, MESSAGES);
  expect(await update(6)).toBe("SIGKILL");
  expect(await sums()).toEqual({ notes: [], sessions: 40, messages: 2000, hits: 2000, different: 2000 });
});

test("several at once do it once", async () => {
  expect(await Promise.all([update(), update(), update()])).toEqual(["done\n0", "done\n0", "done\n0"]);
  for (let session = 0; session < SESSIONS; session++) say(`S${session}`, MESSAGES);
  const [here, ...there] = await Promise.all([sums(), update(), update()]);
  expect(there).toEqual(["done\n0", "done\n0"]);
  expect(here.notes).toEqual([]);
  expect(await sums()).toEqual({ notes: [], sessions: 40, messages: 2000, hits: 2000, different: 2000 });
});
