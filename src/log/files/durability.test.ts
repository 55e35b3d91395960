import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { canRecordSteps, recordSteps } from "../../../test/support/durable-steps.js";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { Locks } from "../locks/lock.js";
import { appendDurably } from "./durable-append.js";
import { openHome } from "./home.js";
import { JournalFile } from "./journal-file.js";
import { replaceFile } from "./shared-file.js";

const path = folderForEachTest();

/** Without those of the locks, which are in another test. */
function ofData(steps: readonly string[]): string[] {
  return steps.filter((step) => !step.includes(" locks/"));
}

describe.skipIf(!canRecordSteps)("what a power failure must not undo is on the disk, in this order:", () => {
  test("a session with a key: its folders, its first line aside, the key that leads to it, and its name last", async () => {
    const steps = await recordSteps(path());
    const session = await openHome(path()).create({ agent: "main", key: "agent:main:main" });
    expect(ofData(steps)).toEqual([
      "sync agents/main/: sessions",
      "sync agents/: main",
      "sync ./: agents",
      "sync agents/main/sessions/~ID",
      "sync ./: agents locks",
      "sync agents/main/: sessions ~ID",
      "sync agents/main/~ID/: ",
      "sync agents/main/: keys sessions",
      "sync agents/main/keys/~ID",
      "sync agents/main/keys/: agent.main.main",
      "sync agents/main/sessions/: ID.jsonl",
    ]);
    steps.length = 0;
    await session.append([{ role: "user", content: "hi", timestamp: 1 }]);
    expect(ofData(steps)).toEqual(["sync agents/main/sessions/ID.jsonl"]);
    await session.close();
  });

  test("a torn line: its copy, the name of the copy, and only then the cut", async () => {
    for (const folder of ["agents/main/sessions", "locks"]) mkdirSync(path(folder), { recursive: true });
    const header = '{"role":"session","id":"S","agent":"main","timestamp":1}\n';
    writeFileSync(path("agents/main/sessions/S.jsonl"), `${header}{"role":"user","con`);
    const steps = await recordSteps(path());
    const session = await openHome(path()).open("S");
    expect(ofData(steps)).toEqual([
      "sync agents/main/sessions/S.torn-ID",
      "sync agents/main/sessions/: S.jsonl S.torn-ID",
      "truncate agents/main/sessions/S.jsonl",
      "sync agents/main/sessions/S.jsonl",
    ]);
    await session.close();
  });

  test("a journal that is written anew: the new file, then its name", async () => {
    const there = new Set<string>();
    const journal = await JournalFile.open<string>({
      path: path("names.jsonl"),
      read: (value) => (typeof value === "string" ? value : undefined),
      apply: (name) => void there.add(name),
      snapshot: () => there,
      onNote: (text) => expect.fail(text),
      spareLines: 0,
    });
    const steps = await recordSteps(path());
    await journal.append(["ann", "ann", "ann"]);
    await journal.close();
    expect(steps).toEqual(["sync names.jsonl", "sync names.jsonl.new", "sync ./: names.jsonl"]);
  });

  test("a file that is replaced: its bytes, then its name", async () => {
    writeFileSync(path("tokens.json"), "old");
    const steps = await recordSteps(path());
    await replaceFile(path("tokens.json"), "new");
    expect(steps).toEqual(["sync ~ID", "sync ./: tokens.json"]);
  });

  test("a lock: the file that says who holds it", async () => {
    const steps = await recordSteps(path());
    const locks = new Locks(path());
    await locks.acquire("a");
    expect(steps).toEqual(["sync process-ID"]);
    await locks.release("a");
  });
});

test("bytes that the disk did not take are cut off, and the cut is on the disk before anybody is told", async () => {
  const steps: string[] = [];
  const failing = {
    write: async () => {
      steps.push("write");
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC", syscall: "write" });
    },
    truncate: async (length?: number | null) => void steps.push(`truncate ${length}`),
    datasync: async () => void steps.push("datasync"),
  };
  const appending = appendDurably(failing, Buffer.from("line\n"), 7, "a.jsonl");
  await appending.catch(() => steps.push("told"));
  expect(steps).toEqual(["write", "truncate 7", "datasync", "told"]);
});
