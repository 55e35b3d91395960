import { expect, test } from "vitest";
import type { CellCodec, JournalOptions } from "../../../src/log/store.js";
import type { Lease } from "../../../src/log/types.js";
import { held, type StoreMaker, type TestedStore } from "./tested-store.js";

const NAME = "channels/telegram/main";

const codec: CellCodec<readonly string[]> = {
  empty: [],
  parse: (text, where) => {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) throw new Error(`${where} is not a list`);
    return value.map(String);
  },
  print: (value) => JSON.stringify(value),
  refuse: (where, reason) => new Error(`${where}: ${reason}`),
};

type Change = { add: string } | { drop: string };

function isChange(value: unknown): value is Change {
  return typeof value === "object" && value !== null && ("add" in value || "drop" in value);
}

/** A journal of names that come and go. */
async function openNames(store: TestedStore, lease: Lease) {
  const names = new Set<string>();
  let applied = 0;
  const options: JournalOptions<Change> = {
    read: (value) => (isChange(value) ? value : undefined),
    apply: (change) => {
      applied++;
      if ("add" in change) names.add(change.add);
      else names.delete(change.drop);
    },
    snapshot: () => [...names].map((add) => ({ add })),
    onNote: (text) => expect.fail(text),
  };
  const journal = await store.journal(`${NAME}/inbox`, lease, options);
  return { journal, names, applied: () => applied };
}

/** Everything beside sessions: leases by name, journals, cells, values, blobs. */
export function describeKept(make: StoreMaker): void {
  async function opened() {
    const shared = await make();
    const [one, other] = [await shared.open(), await shared.open()];
    return { one, other, lease: held(await one.lease(NAME)) };
  }

  test("a named lease has one holder among all processes", async () => {
    const { one, other, lease } = await opened();
    expect([await one.lease(NAME), await other.lease(NAME)]).toEqual([undefined, undefined]);
    const another = held(await other.lease("channels/telegram/second"));
    const waiting = other.waitForLease(NAME, AbortSignal.timeout(10_000));
    await lease.release();
    const next = await waiting;
    expect(next.fence).toBeGreaterThan(lease.fence);
    for (const done of [next, another]) await done.release();
  });

  test("a journal's records are applied in order, and again by the next holder", async () => {
    const { one, other, lease } = await opened();
    const first = await openNames(one, lease);
    const appends = [[{ add: "ann" }, { add: "bob" }], [{ drop: "ann" }], [{ add: "ann" }]];
    await Promise.all(appends.map((records) => first.journal.append(records)));
    expect([...first.names]).toEqual(["bob", "ann"]);
    await first.journal.close();
    await lease.release();
    const next = held(await other.lease(NAME));
    const second = await openNames(other, next);
    expect([...second.names]).toEqual(["bob", "ann"]);
    await second.journal.close();
    await next.release();
  });

  test("a journal is compacted: opening it does not apply everything that was ever appended", async () => {
    const { one, lease } = await opened();
    const first = await openNames(one, lease);
    for (let count = 0; count < 60; count++) {
      const pairs = Array.from({ length: 50 }, (_, index) => [{ add: `${index}` }, { drop: `${index}` }]);
      await first.journal.append(pairs.flat());
    }
    await first.journal.append([{ add: "left" }]);
    await first.journal.close();
    const second = await openNames(one, lease);
    expect([...second.names]).toEqual(["left"]);
    expect(second.applied()).toBeLessThan(2000);
    await second.journal.close();
    await lease.release();
  });

  test("what a former holder appends to a journal is refused and not applied", async () => {
    const { one, lease } = await opened();
    const { journal, names } = await openNames(one, lease);
    await journal.append([{ add: "ann" }]);
    await lease.release();
    await expect(journal.append([{ add: "bob" }])).rejects.toMatchObject({ code: "log/fenced" });
    expect([...names]).toEqual(["ann"]);
    await journal.close();
  });

  test("a cell is changed by one process at a time, and no change is lost", async () => {
    const { one, other } = await opened();
    const cells = [one, one, other, other].map((store) => store.cell("tokens", codec));
    expect(await Promise.all(cells.map((cell) => cell.exists()))).toEqual([false, false, false, false]);
    const names = cells.map((_, number) => Array.from({ length: 10 }, (_, count) => `${number}-${count}`));
    await Promise.all(
      cells.map(async (cell, number) => {
        for (const name of names[number] ?? []) await cell.change((value) => [...value, name]);
      }),
    );
    for (const cell of cells) expect([...(await cell.read())].sort()).toEqual(names.flat());
    expect(await cells[3]?.exists()).toBe(true);
  });

  test("a cell that an edit leaves as it is does not come into being", async () => {
    const { one, other } = await opened();
    expect(await one.cell("tokens", codec).change((value) => value)).toEqual([]);
    expect(await other.cell("tokens", codec).exists()).toBe(false);
    await expect(
      one.cell("tokens", codec).change(() => {
        throw new RangeError("enough");
      }),
    ).rejects.toThrow("enough");
    expect(await one.cell("tokens", codec).change(() => ["a"])).toEqual(["a"]);
    expect(await other.cell("channels/telegram/main/people", codec).read()).toEqual([]);
  });

  test("values have any names, the last write counts, and groups are separate", async () => {
    const { one, lease } = await opened();
    const values = one.values(`${NAME}/own`, lease);
    expect(await values.names()).toEqual([]);
    const names = ["creds", "session-1:2@lid/3", "ü %.json"];
    for (const name of names) await values.write(name, `of ${name}`);
    const writes = ["one", "two", "three"].map((text) => values.write("creds", text));
    expect(await values.read("creds")).toBe("three");
    await Promise.all(writes);
    expect((await values.names()).sort()).toEqual(names.sort());
    expect(await values.read("session-1:2@lid/3")).toBe("of session-1:2@lid/3");
    await values.remove("creds");
    await values.remove("never written");
    expect(await values.read("creds")).toBeUndefined();
    expect(await one.values(`${NAME}/own/keys`, lease).names()).toEqual([]);
    expect(await one.values(`${NAME}/own`, lease).names()).toHaveLength(2);
    await lease.release();
    await expect(values.write("creds", "late")).rejects.toMatchObject({ code: "log/fenced" });
    await expect(values.remove("ü %.json")).rejects.toMatchObject({ code: "log/fenced" });
    expect(await values.names()).toHaveLength(2);
  });

  test("a blob is read by its reference, in every process, and has one for the same content", async () => {
    const { one, other } = await opened();
    const options = { session: "01S", agent: "main", extension: "png" };
    const bytes = Uint8Array.from({ length: 3_000_000 }, (_, index) => index % 251);
    const ref = await one.blobs.put(bytes, options);
    expect(ref).toMatch(/\b[0-9a-f]{32}\.png$/);
    expect(await other.blobs.put(bytes, options)).toBe(ref);
    const found = await other.blobs.get(ref);
    expect(found?.length).toBe(3_000_000);
    expect(Buffer.compare(found ?? new Uint8Array(), bytes)).toBe(0);
    expect(await one.blobs.get(ref.replace(/[0-9a-f]{32}/, "0".repeat(32)))).toBeUndefined();
    expect(await one.blobs.get("/etc/passwd")).toBeUndefined();
  });

  test("blobs are listed by session, each with its file's extension", async () => {
    const { one, other } = await opened();
    const put = (session: string, text: string, extension: string) =>
      one.blobs.put(Buffer.from(text), { session, agent: "main", extension });
    const ref = await put("01A", "test", "txt");
    await put("01B", "test", "txt");
    await put("01B", "other", "bin");
    await put("01B", "other", "bin");
    const found = [];
    for await (const { ref: _, ...blob } of other.blobs.list())
      found.push(Object.values(blob).sort().join(" "));
    expect(found.sort()).toEqual([
      "01A 9f86d081884c7d659a2feaa0c55ad015 main txt",
      "01B 9f86d081884c7d659a2feaa0c55ad015 main txt",
      "01B bin d9298a10d1b0735837dc4bd85dac641b main",
    ]);
    // Messages that were copied from another store refer to it in that store's form.
    const hash = "9f86d081884c7d659a2feaa0c55ad015";
    expect(Buffer.from((await other.blobs.get(`media:${hash}.txt`)) ?? []).toString()).toBe("test");
    expect(Buffer.from((await other.blobs.get(ref)) ?? []).toString()).toBe("test");
  });

  test("lines are added by every process, and read once by each reader, in one order", async () => {
    const { one, other } = await opened();
    const name = "usage/2026-11";
    const read: string[] = [];
    const reader = one.lines(name).reader({
      apply: (text, number) => read.push(`${number} ${text}`),
      reset: () => read.push("reset"),
    });
    await reader.readNew();
    expect(read).toEqual([]);
    await one.lines(name).add('{"a":"é"}', "id-1");
    await other.lines(name).add('{"b":2}', "id-2");
    await reader.readNew();
    await other.lines("usage/2026-10").add("earlier", "id-1");
    await one.lines(name).add("third", "id-3");
    await Promise.all([reader.readNew(), reader.readNew()]);
    expect(read).toEqual(['1 {"a":"é"}', '2 {"b":2}', "3 third"]);
    expect(await other.lineNames("usage")).toEqual(["usage/2026-10", "usage/2026-11"]);
    expect(await other.lineNames("other")).toEqual([]);
  });

  test("no line of several writers is lost or missed by a reader that reads meanwhile", async () => {
    const { one, other } = await opened();
    const read: (string | undefined)[] = [];
    const reader = one
      .lines("usage/2026-11")
      .reader({ apply: (text) => read.push(text), reset: () => read.push("reset") });
    const lines = Array.from({ length: 200 }, (_, index) => `line-${index}`);
    const adding = lines.map((line, index) =>
      (index % 2 === 0 ? one : other).lines("usage/2026-11").add(line, line),
    );
    let isDone = false;
    const done = Promise.all(adding).then(() => {
      isDone = true;
    });
    while (!isDone) await reader.readNew();
    await done;
    await reader.readNew();
    expect([...read].sort()).toEqual([...lines].sort());
  });

  test("a store that can be used is ready", async () => {
    const { one } = await opened();
    await expect(one.ready()).resolves.toBeUndefined();
    await one.close();
  });
}
