import { entryOf } from "../entry.js";
import { badPosition } from "../refusals.js";
import type { Entry, Position, ReadOptions } from "../types.js";
import type { Database } from "./database.js";

/** Lines that are read together. */
const MAX_LINES = 500;
const MAX_BYTES = 1024 * 1024;

export interface LineRow {
  position: Position;
  line: string | null;
  /** A line that is not text. */
  raw: Buffer | null;
}

export function bytesOf({ line, raw }: LineRow): Buffer {
  return raw ?? Buffer.from(line ?? "");
}

/** The next lines at or after a position; none at the end. */
export function linesFrom(database: Database, session: string, from: Position): Promise<LineRow[]> {
  return database.run<LineRow>({
    name: "read",
    text: `select position::float8 as position, line, raw from entry
      where session = $1 and position >= $2 and position < $2 + ${MAX_BYTES} order by position limit ${MAX_LINES}`,
    values: [session, from],
  });
}

export async function endOf(database: Database, session: string): Promise<Position | undefined> {
  const text = "select size::float8 as size from session where id = $1";
  const row = await database.first<{ size: number }>({ name: "end", text, values: [session] });
  return row?.size;
}

/** Reads a session forwards to its end, repeatedly as it grows. */
export class EntryReader {
  readonly #database: Database;
  readonly #session: string;
  readonly #onBadLine: ReadOptions["onBadLine"];
  #position: Position;
  /** The number of the next line, if it was counted from the beginning. */
  #line: number | undefined;
  #isChecked: boolean;

  constructor(database: Database, session: string, { from = 0, onBadLine }: ReadOptions) {
    this.#database = database;
    this.#session = session;
    this.#onBadLine = onBadLine;
    this.#position = from;
    this.#line = from === 0 ? 1 : undefined;
    this.#isChecked = from === 0;
  }

  async *toEnd(): AsyncGenerator<Entry, void, undefined> {
    if (!Number.isSafeInteger(this.#position) || this.#position < 0) throw this.#badPosition();
    for (;;) {
      const rows = await linesFrom(this.#database, this.#session, this.#position);
      if (rows.length === 0) {
        if (!this.#isChecked) await requirePosition(this.#database, this.#session, this.#position);
        this.#isChecked = true;
        return;
      }
      for (const row of rows) {
        const entry = this.#parse(row);
        if (entry !== undefined) yield entry;
      }
    }
  }

  #parse(row: LineRow): Entry | undefined {
    const { position } = row;
    if (!this.#isChecked && position !== this.#position) throw this.#badPosition();
    this.#isChecked = true;
    const bytes = bytesOf(row);
    const next = position + bytes.length + 1;
    const entry = entryOf({ bytes, position, next, line: this.#line });
    this.#position = next;
    if (this.#line !== undefined) this.#line += 1;
    if (entry === undefined || "message" in entry) return entry;
    this.#onBadLine?.(entry);
    return undefined;
  }

  #badPosition(): Error {
    return badPosition(this.#session, this.#position);
  }
}

/** The last messages before a position, or before the end. */
export async function lastEntries(
  database: Database,
  session: string,
  count: number,
  { before, onBadLine }: { before?: Position; onBadLine?: ReadOptions["onBadLine"] },
): Promise<Entry[]> {
  if (before !== undefined) await requirePosition(database, session, before);
  const entries: Entry[] = [];
  let end = before ?? null;
  while (entries.length < count && end !== 0) {
    const rows = await database.run<LineRow>({
      name: "last",
      text: `select position::float8 as position, line, raw from entry
        where session = $1 and ($2::bigint is null or position < $2) order by position desc limit $3`,
      values: [session, end, Math.min(count - entries.length, MAX_LINES)],
    });
    for (const row of rows) {
      const bytes = bytesOf(row);
      const entry = entryOf({ bytes, position: row.position, next: row.position + bytes.length + 1 });
      if (entry !== undefined && "message" in entry) entries.push(entry);
      else if (entry !== undefined) onBadLine?.(entry);
    }
    end = rows.at(-1)?.position ?? 0;
  }
  return entries.reverse();
}

/** What was the end stays a position: the next line begins there. */
async function requirePosition(database: Database, session: string, position: Position): Promise<void> {
  if (position === 0) return;
  if (!Number.isSafeInteger(position) || position < 0) throw badPosition(session, position);
  const text = `select 1 from session where id = $1 and size = $2
    union all select 1 from entry where session = $1 and position = $2 limit 1`;
  const found = await database.first({ name: "position", text, values: [session, position] });
  if (found === undefined) throw badPosition(session, position);
}
