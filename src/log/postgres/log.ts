import { DragomanError } from "../../core/error.js";
import { writeJson } from "../../core/json/write.js";
import type { SessionMessage } from "../../core/types.js";
import { is } from "../../core/validate.js";
import { entryOf } from "../entry.js";
import { canonicalKey, isSafeId } from "../key.js";
import { noSession } from "../refusals.js";
import { headerOf } from "../serialise.js";
import type { Fill, Lease, Log, NewSession, SessionFile, SessionLog } from "../types.js";
import { bytesOf, type LineRow } from "./reader.js";
import { PostgresSession } from "./session.js";
import type { StoreParts } from "./store-parts.js";

/** Sessions that are listed together. */
const PAGE = 1_000;

/** The sessions in a database. All of them are our own: other programs' sessions are files. */
export class PostgresLog implements Log {
  readonly #parts: StoreParts;

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  begin(session: Omit<NewSession, "key">): Promise<SessionLog> {
    return this.create(session);
  }

  create(session: NewSession, fill?: Fill): Promise<SessionLog> {
    return this.#create(session, fill, false);
  }

  async open(id: string): Promise<SessionLog> {
    const row = isSafeId(id)
      ? await this.#parts.database.first<LineRow>({
          name: "open",
          text: `select 0::float8 as position, e.line, e.raw from session s
            join entry e on e.session = s.id and e.position = 0 where s.id = $1 and s.visible`,
          values: [id],
        })
      : undefined;
    if (row === undefined) throw noSession(id);
    const bytes = bytesOf(row);
    const entry = entryOf({ bytes, position: 0, next: bytes.length + 1, line: 1 });
    const header = entry !== undefined && "message" in entry ? entry.message : undefined;
    if (!is("SessionMessage", header)) {
      throw new DragomanError("log/unreadable", `the session ${id} does not begin with its header`);
    }
    return new PostgresSession(id, header, this.#parts);
  }

  async find(key: string): Promise<string | undefined> {
    const text = "select session from session_key where key = $1";
    const values = [canonicalKey(key)];
    return (await this.#parts.database.first<{ session: string }>({ name: "find", text, values }))?.session;
  }

  async openOrCreate(session: NewSession & { key: string }, fill?: Fill): Promise<SessionLog> {
    const found = await this.find(session.key);
    return found === undefined ? this.#create(session, fill, true) : this.open(found);
  }

  async findForeign(): Promise<undefined> {
    return undefined;
  }

  async *list(): AsyncGenerator<SessionFile> {
    for (let after = ""; ; ) {
      const rows = await this.#parts.database.run<Omit<SessionFile, "path" | "foreign">>({
        name: "list",
        text: `select id, agent, size::float8 as size, floor(extract(epoch from modified) * 1000)::float8 as modified
          from session where visible and id > $1 order by id limit ${PAGE}`,
        values: [after],
      });
      for (const row of rows) yield { ...row, path: pathOf(row.id), foreign: false };
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  lease(id: string): Promise<Lease | undefined> {
    return this.#parts.leases.tryAcquire({ session: id });
  }

  waitForLease(id: string, signal: AbortSignal): Promise<Lease> {
    return this.#parts.leases.waitFor({ session: id }, signal);
  }

  /** @param isOnlyFirst a session that the key already stands for is opened instead */
  async #create(given: NewSession, fill: Fill | undefined, isOnlyFirst: boolean): Promise<SessionLog> {
    const header = headerOf(given, Date.now());
    const { id, key = null } = header;
    const line = writeJson(header);
    const winner =
      fill === undefined
        ? await this.#call("create_session", [id, given.agent, line, key, isOnlyFirst])
        : await this.#fill(header, given.agent, line, fill, isOnlyFirst);
    return winner === id ? new PostgresSession(id, header, this.#parts) : this.open(winner);
  }

  async #fill(
    header: SessionMessage & { id: string },
    agent: string,
    line: string,
    fill: Fill,
    isOnlyFirst: boolean,
  ): Promise<string> {
    const { id, key = null } = header;
    await this.#call("begin_session", [id, agent, line]);
    const session = new PostgresSession(id, header, this.#parts);
    try {
      await fill(session);
    } catch (error) {
      await this.#call("discard_session", [id]);
      throw error;
    } finally {
      await session.close();
    }
    return this.#call("publish_session", [id, key, isOnlyFirst]);
  }

  async #call(name: string, values: readonly unknown[]): Promise<string> {
    const parameters = values.map((_, index) => `$${index + 1}`).join(", ");
    const text = `select ${name}(${parameters})::text as result`;
    return (await this.#parts.database.first<{ result: string }>({ name, text, values }))?.result ?? "";
  }
}

/** What stands for a session's path where files have one. */
function pathOf(id: string): string {
  return `postgres:${id}`;
}
