import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { JournalFile, type JournalFileOptions } from "./journal-file.js";
import type { OpenFile } from "./writer.js";

const inFolder = folderForEachTest();

type Change = { add: string } | { drop: string };

function isChange(value: unknown): value is Change {
  return typeof value === "object" && value !== null && ("add" in value || "drop" in value);
}

/** A journal of names that come and go. */
async function names(options: Partial<JournalFileOptions<Change>> = {}) {
  const there = new Set<string>();
  const notes: string[] = [];
  const journal = await JournalFile.open<Change>({
    path: inFolder("names.jsonl"),
    read: (value) => (isChange(value) ? value : undefined),
    apply: (change) => void ("add" in change ? there.add(change.add) : there.delete(change.drop)),
    snapshot: () => [...there].map((add) => ({ add })),
    onNote: (text) => notes.push(text.replaceAll(inFolder(), "").replace(/torn-\w+/, "torn-ID")),
    ...options,
  });
  return { journal, there, notes };
}

const file = () => readFileSync(inFolder("names.jsonl"), "utf8");

test("what was appended is there after opening it again", async () => {
  const first = await names();
  await first.journal.append([{ add: "ann" }, { add: "bob" }]);
  await first.journal.append([{ drop: "ann" }]);
  expect([...first.there]).toEqual(["bob"]);
  await first.journal.close();
  expect(file()).toBe('{"add":"ann"}\n{"add":"bob"}\n{"drop":"ann"}\n');
  const second = await names();
  expect([...second.there]).toEqual(["bob"]);
  await second.journal.close();
});

test("a torn last line is set aside, and told", async () => {
  writeFileSync(inFolder("names.jsonl"), '{"add":"ann"}\n{"add":"bo');
  const { journal, there, notes } = await names();
  await journal.append([{ add: "carl" }]);
  await journal.close();
  expect([...there]).toEqual(["ann", "carl"]);
  expect(file()).toBe('{"add":"ann"}\n{"add":"carl"}\n');
  expect(notes).toEqual(["/names.jsonl: a torn line of 10 bytes was saved to /names.torn-ID"]);
});

test("a bad line is passed over, told, and kept when the file is written anew", async () => {
  writeFileSync(inFolder("names.jsonl"), '{"add":"ann"}\nnonsense\n{"other":1}\n{"add":"bob"}\n');
  const { journal, there, notes } = await names({ spareLines: 0 });
  expect([...there]).toEqual(["ann", "bob"]);
  await journal.append([{ drop: "ann" }]);
  await journal.close();
  expect(file()).toBe('{"add":"bob"}\n');
  expect(notes).toEqual([
    "/names.jsonl: line 2 cannot be read and is skipped",
    "/names.jsonl: line 3 cannot be read and is skipped",
  ]);
  const kept = readdirSync(inFolder()).find((name) => name.startsWith("names.damaged-"));
  expect(readFileSync(inFolder(String(kept)), "utf8")).toContain("nonsense\n");
});

test("it is written anew when much of it is no longer needed", async () => {
  const { journal } = await names({ spareLines: 10 });
  for (let count = 0; count < 100; count++) {
    await journal.append([{ add: `n${count}` }, ...(count > 1 ? [{ drop: `n${count - 2}` }] : [])]);
  }
  await journal.close();
  const lines = file().trimEnd().split("\n");
  expect(lines.length).toBeLessThan(20);
  const { there, journal: again } = await names();
  expect([...there]).toEqual(["n98", "n99"]);
  await again.close();
  expect(readdirSync(inFolder())).toEqual(["names.jsonl"]);
});

test("it is written anew with every record, however many there are", async () => {
  const all = Array.from({ length: 2_500 }, (_, count) => `n${count}`);
  const { journal } = await names({ spareLines: 0 });
  await journal.append([...all, ...all, ...all].map((add) => ({ add })));
  await journal.close();
  expect(file()).toBe(all.map((add) => `{"add":"${add}"}\n`).join(""));
});

test("many appends at the same time share one fdatasync", async () => {
  let syncs = 0;
  const openFile: OpenFile = async (path, flags) => {
    const handle = await open(path, flags, 0o600);
    const datasync = handle.datasync.bind(handle);
    handle.datasync = () => {
      syncs++;
      return datasync();
    };
    return handle;
  };
  const { journal, there } = await names({ openFile });
  await Promise.all(Array.from({ length: 100 }, (_, count) => journal.append([{ add: `n${count}` }])));
  await journal.close();
  expect(there.size).toBe(100);
  expect(syncs).toBe(1);
});

test("what cannot be written is refused, not applied, and taken back", async () => {
  let full = false;
  let opens = 0;
  const openFile: OpenFile = async (path, flags) => {
    opens++;
    const handle = await open(path, flags, 0o600);
    const datasync = handle.datasync.bind(handle);
    handle.datasync = async () => {
      if (full) {
        full = false;
        throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      }
      return datasync();
    };
    return handle;
  };
  const { journal, there } = await names({ openFile });
  await journal.append([{ add: "ann" }]);
  full = true;
  await expect(journal.append([{ add: "bob" }])).rejects.toMatchObject({ code: "log/disk-full" });
  expect(opens).toBe(1);
  await journal.append([{ add: "carl" }]);
  // A file whose fdatasync has failed is not to be trusted.
  expect(opens).toBe(2);
  await journal.close();
  expect([...there]).toEqual(["ann", "carl"]);
  expect(file()).toBe('{"add":"ann"}\n{"add":"carl"}\n');
});

test("the file is for its owner only", async () => {
  const { journal } = await names();
  await journal.append([{ add: "ann" }]);
  const handle = await open(inFolder("names.jsonl"));
  expect((await handle.stat()).mode & 0o777).toBe(0o600);
  await handle.close();
  await journal.close();
});

describe("a file that another program touched while it was open", () => {
  /** Two names are stored, then the file is touched, then a third one is stored. */
  async function touched(touch: () => void) {
    const { journal, notes } = await names();
    await journal.append([{ add: "ann" }, { add: "bob" }]);
    touch();
    await journal.append([{ add: "carl" }]);
    await journal.append([{ add: "dora" }]);
    await journal.close();
    expect(file()).toBe('{"add":"ann"}\n{"add":"bob"}\n{"add":"carl"}\n{"add":"dora"}\n');
    return notes;
  }

  function keptAside(): string[] {
    return readdirSync(inFolder())
      .filter((name) => name.startsWith("names.damaged-"))
      .map((name) => readFileSync(inFolder(name), "utf8"));
  }

  test("deleted, it is written again with all that was stored", async () => {
    const notes = await touched(() => rmSync(inFolder("names.jsonl")));
    expect(notes).toEqual(["/names.jsonl was deleted by another program; rewriting it"]);
    expect(keptAside()).toEqual([]);
  });

  test("shortened, what is left of it is kept aside", async () => {
    const notes = await touched(() => truncateSync(inFolder("names.jsonl"), 5));
    expect(notes).toEqual(["/names.jsonl was changed by another program; rewriting it"]);
    expect(keptAside()).toEqual(['{"add']);
  });

  test("replaced, the other file is kept aside", async () => {
    await touched(() => {
      writeFileSync(inFolder("other"), '{"add":"eve"}\n{"add":"ivy"}\n');
      renameSync(inFolder("other"), inFolder("names.jsonl"));
    });
    expect(keptAside()).toEqual(['{"add":"eve"}\n{"add":"ivy"}\n']);
  });
});
