import { readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type LiveDatabase, liveDatabase } from "../../../test/support/live-database.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { DragomanError } from "../../core/error.js";
import { type Row, readDatabase, type Tables } from "./database.js";

function newDatabase(pageSize?: number): LiveDatabase {
  return liveDatabase(join(temporaryFolder(), "a.db"), pageSize);
}

function rowsOf(name: string): (tables: Tables) => Row[] {
  return (tables) => [...(tables.get(name)?.rows() ?? [])];
}

/** A table `t` with these texts. */
function withTexts(texts: readonly string[], live = newDatabase()): LiveDatabase {
  live.db.exec("CREATE TABLE t (text TEXT)");
  for (const text of texts) live.db.run("INSERT INTO t VALUES (?)", [text]);
  live.publish();
  return live;
}

/** Writes to a published file without changing its time: as if it had always been so. */
function overwrite(path: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
  utimesSync(path, 1, 1);
}

test("reads values of every type", async () => {
  const { db, publish, path } = newDatabase();
  db.exec("CREATE TABLE v (n INTEGER, value)");
  const blob = new Uint8Array([0, 1, 255]);
  const values = [null, 0, 1, -1, 127, -32_768, 8_388_607, 2 ** 31 - 1, 1_767_261_600_000, -(2 ** 50), 0.25];
  for (const value of [...values, "", "Straße 🚲", blob]) db.run("INSERT INTO v VALUES (?, ?)", [7, value]);
  publish();
  const read = await readDatabase(path, (tables) => rowsOf("v")(tables).map(({ value }) => value));
  expect(read.slice(0, -1)).toEqual([...values, "", "Straße 🚲"]);
  expect([...(read.at(-1) as Uint8Array)]).toEqual([0, 1, 255]);
});

test.each([512, 4096, 65_536])("reads large tables and long rows in pages of %i bytes", async (pageSize) => {
  const { db, publish, path } = newDatabase(pageSize);
  db.exec(
    "CREATE TABLE part (id TEXT PRIMARY KEY, owner TEXT, data TEXT); CREATE INDEX o ON part (owner, id)",
  );
  db.exec("BEGIN");
  for (let index = 0; index < 3000; index++) {
    const data = `${index} `.repeat(index % 500 === 0 ? 20_000 : 3);
    db.run("INSERT INTO part VALUES (?, ?, ?)", [`prt_${index}`, `owner-${index % 7}`, data]);
  }
  db.exec("COMMIT");
  publish();
  const [all, third, none] = await readDatabase(path, (tables) => {
    const part = tables.get("part");
    const idsWith = (owner: string) => part?.idsWith("owner", owner) ?? [];
    return [rowsOf("part")(tables), idsWith("owner-3").map((id) => part?.row(id)), idsWith("owner-")];
  });
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 3000 }, (_, index) => `prt_${index}`));
  expect(all[500]?.["data"]).toBe("500 ".repeat(20_000));
  expect(third).toHaveLength(429);
  expect(third?.every((row) => row?.["owner"] === "owner-3")).toBe(true);
  expect(none).toEqual([]);
});

test("reads the beginning of a long row without the rest", async () => {
  const { db, publish, path } = newDatabase();
  db.exec("CREATE TABLE t (id TEXT, n INTEGER, data TEXT)");
  db.run("INSERT INTO t VALUES (?, ?, ?)", ["first", 5, "x".repeat(100_000)]);
  publish();
  const beginning = await readDatabase(path, (tables) => tables.get("t")?.beginning(1));
  expect(beginning).toEqual({ id: "first", n: 5 });
  expect(await readDatabase(path, (tables) => tables.get("t")?.row(2))).toBeUndefined();
});

test("columns that were added later are absent in earlier rows", async () => {
  const { db, publish, path } = newDatabase();
  db.exec("CREATE TABLE t (`a` text NOT NULL, b numeric(3, 2) DEFAULT 1, CONSTRAINT c CHECK (b > 0))");
  db.exec("INSERT INTO t VALUES ('old', 2); ALTER TABLE t ADD COLUMN `cost` real DEFAULT 0 NOT NULL");
  db.exec("INSERT INTO t VALUES ('new', 3, 0.5)");
  publish();
  expect(await readDatabase(path, rowsOf("t"))).toEqual([
    { a: "old", b: 2 },
    { a: "new", b: 3, cost: 0.5 },
  ]);
});

test("reads what is in the log, in the file, and in both", async () => {
  const live = withTexts(["in the log"]);
  const { db, publish, path } = live;
  expect(await readDatabase(path, rowsOf("t"))).toEqual([{ text: "in the log" }]);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  publish();
  expect(statSync(`${path}-wal`).size).toBe(0);
  expect(await readDatabase(path, rowsOf("t"))).toEqual([{ text: "in the log" }]);
  db.exec("UPDATE t SET text = 'changed'; INSERT INTO t VALUES ('added')");
  publish();
  expect(await readDatabase(path, rowsOf("t"))).toEqual([{ text: "changed" }, { text: "added" }]);
  db.exec("INSERT INTO t VALUES ('later')");
  publish();
  expect(await readDatabase(path, rowsOf("t"))).toEqual([
    { text: "changed" },
    { text: "added" },
    { text: "later" },
  ]);
});

test("ignores the frames of a log that was started anew", async () => {
  const live = withTexts(["x".repeat(50_000)]);
  const { db, publish, path } = live;
  db.exec("PRAGMA wal_checkpoint(RESTART); DELETE FROM t; INSERT INTO t VALUES ('short')");
  publish();
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(50_000);
  expect(await readDatabase(path, rowsOf("t"))).toEqual([{ text: "short" }]);
});

test("ignores a transaction that is not complete", async () => {
  const { db, publish, path } = withTexts(["one"]);
  const before = statSync(`${path}-wal`).size;
  db.run("INSERT INTO t VALUES (?)", ["y".repeat(20_000)]);
  publish();
  truncateSync(`${path}-wal`, before + 10_000);
  expect(await readDatabase(path, rowsOf("t"))).toEqual([{ text: "one" }]);
  publish();
  overwrite(`${path}-wal`, (bytes) => bytes.fill(0x41, before + 100, before + 110));
  expect(await readDatabase(path, rowsOf("t"))).toEqual([{ text: "one" }]);
  publish();
  expect(await readDatabase(path, rowsOf("t"))).toHaveLength(2);
});

test("writes nothing beside the database", async () => {
  const { path } = withTexts(["one"]);
  const before = readdirSync(dirname(path));
  await readDatabase(path, rowsOf("t"));
  expect(readdirSync(dirname(path))).toEqual(before);
  expect(before).toEqual(["a.db", "a.db-wal"]);
});

test("reads again if the file is changed meanwhile", async () => {
  const { db, publish, path } = withTexts(["old"]);
  let attempts = 0;
  const read = await readDatabase(path, (tables) => {
    attempts += 1;
    if (attempts === 1) {
      db.exec("UPDATE t SET text = 'new'; PRAGMA wal_checkpoint(TRUNCATE)");
      publish();
      throw new Error("the pages do not fit together");
    }
    return rowsOf("t")(tables);
  });
  expect([attempts, read]).toEqual([2, [{ text: "new" }]]);
});

test("reads again if the log is started anew meanwhile", async () => {
  const { db, publish, path } = withTexts(["old"]);
  db.exec("PRAGMA wal_checkpoint(RESTART)");
  publish();
  let attempts = 0;
  const read = await readDatabase(path, (tables) => {
    attempts += 1;
    const rows = rowsOf("t")(tables);
    if (attempts === 1) {
      db.exec("UPDATE t SET text = 'new'");
      publish();
      utimesSync(path, 2, 2);
    }
    return rows;
  });
  expect([attempts, read]).toEqual([2, [{ text: "new" }]]);
});

test("refuses what is not a database", async () => {
  const path = join(temporaryFolder(), "a.db");
  writeFileSync(path, "This is a text, and it is longer than the header of a database would be. ".repeat(2));
  utimesSync(path, 1, 1);
  await expect(readDatabase(path, rowsOf("t"))).rejects.toThrow("it is not a SQLite database");
  writeFileSync(path, "");
  utimesSync(path, 1, 1);
  expect(await readDatabase(path, rowsOf("t"))).toEqual([]);
});

test("a damaged database is an error, or fewer rows", async () => {
  const { db, publish, path } = withTexts(Array.from({ length: 200 }, (_, index) => `${index} `.repeat(40)));
  db.exec("CREATE INDEX i ON t (text); PRAGMA wal_checkpoint(TRUNCATE)");
  publish();
  const sound = readFileSync(path);
  let refused = 0;
  for (let round = 0; round < 60; round++) {
    // Pages begin with what leads to other places.
    const at = (4096 * round + (round % 60)) % sound.length;
    overwrite(path, (bytes) => bytes.writeUInt8(sound.readUInt8(at) ^ (1 + (round % 255)), at));
    try {
      await readDatabase(path, (tables) => [rowsOf("t")(tables), tables.get("t")?.idsWith("text", "5 ")]);
    } catch (error) {
      expect(error).toBeInstanceOf(DragomanError);
      refused += 1;
    }
    writeFileSync(path, sound);
  }
  expect(refused).toBeGreaterThan(10);
});
