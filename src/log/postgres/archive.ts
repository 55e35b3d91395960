import { LF } from "../../framing/bytes.js";
import type { Archive, ArchivedSession, KeptNames } from "../copies/archive.js";
import { entryOf } from "../entry.js";
import type { Position } from "../types.js";
import type { Database } from "./database.js";
import { linesOf } from "./group.js";
import { bytesOf, linesFrom } from "./reader.js";
import { channelOf } from "./wakes.js";

const PAGE = 1_000;
const NEWLINE = Buffer.of(LF);

/** The raw contents of a store in a database. */
export class PostgresArchive implements Archive {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async *sessions(): AsyncGenerator<ArchivedSession> {
    for (let after = ""; ; ) {
      const text = `select id, agent, size::float8 as size from session where visible and id > $1 order by id limit ${PAGE}`;
      const rows = await this.#database.run<ArchivedSession>({ name: "archived", text, values: [after] });
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  async *read({ id }: Pick<ArchivedSession, "id">, from: Position): AsyncGenerator<Uint8Array> {
    for (let position = from; ; ) {
      const rows = await linesFrom(this.#database, id, position);
      if (rows.length === 0) return;
      const bytes = Buffer.concat(rows.flatMap((row) => [bytesOf(row), NEWLINE]));
      position += bytes.length;
      yield bytes;
    }
  }

  async endOf({ id }: Pick<ArchivedSession, "id">): Promise<Position | undefined> {
    const text = "select size::float8 as size from session where id = $1";
    return (await this.#database.first<{ size: number }>({ name: "end", text, values: [id] }))?.size;
  }

  async write(
    { id, agent }: Omit<ArchivedSession, "size">,
    from: Position,
    bytes: Uint8Array,
  ): Promise<void> {
    const lines = splitLines(bytes);
    if (from === 0) {
      const text = "insert into session (id, agent, visible) values ($1, $2, false) on conflict do nothing";
      await this.#database.run({ text, values: [id, agent] });
    }
    const offsets: number[] = [];
    const keys: { key: string; offset: number; end: number }[] = [];
    let length = 0;
    for (const line of lines) {
      offsets.push(length);
      keys.push(...keysIn(line, length));
      length += line.length + 1;
    }
    const texts = lines.map(textOf);
    await this.#database.run({
      name: "copy lines",
      text: "select copy_lines($1, $2, $3, $4, $5, $6, $7, $8, $9)",
      values: [
        ...[id, from, length, offsets, texts],
        lines.map((line, index) => (texts[index] === null ? line : null)),
        keys.map(({ key }) => key),
        keys.map(({ offset }) => offset),
        keys.map(({ end }) => end),
      ],
    });
  }

  async publish({ id }: Pick<ArchivedSession, "id">): Promise<void> {
    await this.#database.run({ text: "update session set visible = true where id = $1", values: [id] });
  }

  async *keys(): AsyncGenerator<readonly [string, string]> {
    const text = "select key, session from session_key order by key";
    const rows = await this.#database.run<{ key: string; session: string }>({ text });
    for (const { key, session } of rows) yield [key, session];
  }

  async point(key: string, session: string): Promise<void> {
    const text =
      "insert into session_key (key, session) values ($1, $2) on conflict (key) do update set session = $2";
    await this.#database.run({ name: "point", text, values: [key, session] });
  }

  async markDue(session: string): Promise<void> {
    await this.#database.run({ text: "update session set due = true where id = $1", values: [session] });
  }

  async due(): Promise<string[]> {
    const text = "select id from session where visible and (due or running) order by id";
    return (await this.#database.run<{ id: string }>({ text })).map(({ id }) => id);
  }

  async kept(): Promise<KeptNames> {
    const names = async (table: string) => {
      const text = `select distinct name from ${table} order by name`;
      return (await this.#database.run<{ name: string }>({ text })).map(({ name }) => name);
    };
    return {
      cells: await names("cell"),
      journals: await names("journal"),
      values: await names("stored_value"),
      lines: await names("shared_lines"),
    };
  }

  /** Whether a process has or acquires leases, as gateways do. */
  async isInUse(): Promise<boolean> {
    const text = `select 1 from process where until > clock_timestamp() and not gone
      and not pg_try_advisory_xact_lock_shared(hashtext($1), slot) limit 1`;
    return (await this.#database.first({ text, values: [channelOf(this.#database.address)] })) !== undefined;
  }
}

/** Every byte is kept, also a carriage return or a byte order mark. */
function splitLines(bytes: Uint8Array): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LF, start);
    lines.push(Buffer.from(bytes.subarray(start, end)));
    start = end + 1;
  }
  return lines;
}

/** Null for a line that is not text. */
function textOf(line: Buffer): string | null {
  const text = line.toString();
  return text.includes("\0") || !Buffer.from(text).equals(line) ? null : text;
}

function keysIn(line: Buffer, position: number): { key: string; offset: number; end: number }[] {
  if (!line.includes('"idempotencyKey"')) return [];
  const next = position + line.length + 1;
  const entry = entryOf({ bytes: line, position, next });
  if (entry === undefined || !("message" in entry)) return [];
  return linesOf([entry.message], [line.toString()]).keys.map(({ key }) => ({
    key,
    offset: position,
    end: next,
  }));
}
