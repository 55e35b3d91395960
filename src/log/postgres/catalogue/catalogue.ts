import { setTimeout } from "node:timers/promises";
import { DragomanError } from "../../../core/error.js";
import type { SpentPart } from "../../catalogue/digest.js";
import { ambiguous, FILE, HITS, RANKED, statsOf } from "../../catalogue/find.js";
import { highlight } from "../../catalogue/highlight.js";
import { parseQuery } from "../../catalogue/query.js";
import { snippetOf } from "../../catalogue/snippet.js";
import { type SessionState, summaryIn } from "../../catalogue/state.js";
import {
  type AgentFilter,
  type Catalogue,
  type Found,
  type Hit,
  HOME_SOURCE,
  type ListOptions,
  type PlaceFilter,
  type SearchFilters,
  type SessionSummary,
  type Spending,
  type SpendingFilter,
  type Stats,
  type Updated,
  type UpdateOptions,
} from "../../catalogue/types.js";
import type { Database } from "../database.js";
import { updateStale } from "./update.js";
import { queryOf } from "./words.js";

/** Appends within this time are indexed together. */
const GATHER_MS = 1_000;
/** A phrase of common words is in few of the messages that have to be looked at, so fewer matches of it are ranked and counted. */
const RANKED_PHRASES = 100;

/** PostgreSQL refuses to read JSON with half of a surrogate pair, which titles may have, so that fields are found as text. */
const HAS_FIELD = "strpos(s.state, ?) > 0";

/** A field as `state` has it; quotes within a text are escaped there. */
function fieldText(name: "folder" | "session", value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}

interface StateRow {
  state: string;
}

/** The conditions that have a value, as SQL; `?` stands for the value. */
class Conditions {
  readonly values: unknown[];
  sql = "";

  constructor(values: readonly unknown[] = []) {
    this.values = [...values];
  }

  add(condition: string, value: unknown): this {
    if (value !== undefined) this.sql += ` and ${condition.replace("?", this.parameter(value))}`;
    return this;
  }

  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  addAgents({ agents, except, agent, channel, folder }: AgentFilter & PlaceFilter): this {
    return this.add("s.agent = ?", agent)
      .add("starts_with(replace(s.key, '@', ':'), 'agent:' || s.agent || ':' || ?::text || ':')", channel)
      .add(HAS_FIELD, fieldText("folder", folder))
      .add("s.agent = any (?::text[])", agents)
      .add("s.agent <> ?", except);
  }
}

/** The index of the sessions in a database: tables beside them. */
export class PostgresCatalogue implements Omit<Catalogue, "updateFile"> {
  readonly #database: Database;
  readonly #closing = new AbortController();
  #last: Promise<unknown> = Promise.resolve();
  #gathered: { ids: Set<string>; done: Promise<void> } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  update({ signal, onProgress }: Omit<UpdateOptions, "source"> = {}): Promise<Updated> {
    return this.#enqueue(async () => {
      const proceed = () => {
        this.#closing.signal.throwIfAborted();
        signal?.throwIfAborted();
      };
      const changed = await updateStale(this.#database, proceed, undefined, onProgress);
      return { sessions: changed, changed, removed: 0 };
    });
  }

  indexSoon(session: string): Promise<void> {
    if (this.#gathered === undefined) {
      const ids = new Set<string>();
      this.#gathered = { ids, done: this.#updateGathered(ids) };
    }
    this.#gathered.ids.add(session);
    return this.#gathered.done;
  }

  async list(options: ListOptions = {}): Promise<SessionSummary[]> {
    const { archived, since, until, parent, before, limit, sort = "active" } = options;
    const where = new Conditions()
      .addAgents(options)
      .add("s.archived = ?", archived)
      .add("s.active >= ?", since)
      .add("s.active <= ?", until)
      .add(HAS_FIELD, fieldText("session", parent))
      .add(`(s.${sort}, s.n) < (select b.${sort}, b.n from indexed_session b where b.id = ?)`, before);
    const rows = await this.#database.run<StateRow>({
      text: `select s.state from indexed_session s where true${where.sql}
        order by s.${sort} desc, s.n desc limit ${where.parameter(limit ?? null)}`,
      values: where.values,
    });
    return rows.map(summaryOf);
  }

  async get(name: string): Promise<SessionSummary | undefined> {
    const id = name.endsWith(FILE) ? name.slice(0, -FILE.length) : name;
    const exact = await this.#database.first<StateRow>({
      name: "get",
      text: `(select state from indexed_session where key = $1 order by created desc, n desc limit 1)
        union all (select state from indexed_session where id = $2) limit 1`,
      values: [name, id],
    });
    if (exact !== undefined) return summaryOf(exact);
    if (name === "") return undefined;
    const rows = await this.#database.run<StateRow>({
      name: "get by beginning",
      text: "select state from indexed_session where id ^@ $1 order by id",
      values: [name],
    });
    const found = rows.map(summaryOf);
    if (found.length > 1) {
      throw ambiguous(
        name,
        found.map((session) => session.id),
      );
    }
    return found[0];
  }

  async search(input: string, filters: SearchFilters = {}): Promise<Found> {
    const { match, wanted, excluded, ignored } = parseQuery(input);
    if (match === undefined) return { hits: [], total: 0, ignored };
    const { key, role, since, until, limit = HITS } = filters;
    const ranked = Math.max(wanted.some(({ words }) => words.length > 1) ? RANKED_PHRASES : RANKED, limit);
    const where = new Conditions([queryOf(wanted, excluded), ranked, limit])
      .addAgents(filters)
      .add("s.key = ?", key)
      .add("m.role = ?", role)
      .add("m.timestamp >= ?", since)
      .add("m.timestamp <= ?", until);
    const rows = await this.#database.run<
      Omit<Hit, "message" | "snippet"> & { id: string | null; text: string; total: number }
    >({
      text: `with latest as (
          select m.n, ts_rank(m.words, $1::tsquery) as score
          from indexed_message m join indexed_session s on s.n = m.session
          where m.words @@ $1::tsquery${where.sql} order by m.n desc limit $2
        ), best as (select n, score from latest order by score desc, n desc limit $3)
        select s.id as session, s.agent, m.id, m.position::float8 as position, m.role, m.timestamp::float8 as timestamp, m.text,
          (select count(*) from latest)::float8 as total
        from best join indexed_message m using (n) join indexed_session s on s.n = m.session
        order by best.score desc, best.n desc`,
      values: where.values,
    });
    const hits = rows.map(({ id, text, total: _, ...hit }) => ({
      ...hit,
      source: HOME_SOURCE,
      ...(id === null ? {} : { message: id }),
      snippet: snippetOf(highlight(text, wanted)),
    }));
    const total = rows[0]?.total ?? 0;
    return { hits, total, ...(total === ranked ? { more: true as const } : {}), ignored };
  }

  async stats(filter: AgentFilter = {}): Promise<Stats> {
    return statsOf(await this.list(filter));
  }

  async spending({ session }: SpendingFilter = {}): Promise<Spending[]> {
    const where = new Conditions().add("s.id = ?", session);
    const rows = await this.#database.run<StateRow & { spent: string }>({
      text: `select s.state, s.spent from indexed_session s where true${where.sql} order by s.n`,
      values: where.values,
    });
    return rows.flatMap(spendingIn);
  }

  async close(): Promise<void> {
    this.#closing.abort(new DragomanError("log/closed", "the session index was closed"));
    await this.#last;
  }

  /** Runs updates one at a time: a second one finds what the first left to do. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #updateGathered(ids: ReadonlySet<string>): Promise<void> {
    const { signal } = this.#closing;
    try {
      await setTimeout(GATHER_MS, undefined, { ref: false, signal });
      this.#gathered = undefined;
      await this.#enqueue(() => updateStale(this.#database, () => signal.throwIfAborted(), [...ids]));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

function summaryOf({ state }: StateRow): SessionSummary {
  const stored: SessionState = JSON.parse(state);
  return summaryIn(stored);
}

function spendingIn({ state, spent }: StateRow & { spent: string }): Spending[] {
  const { id, source, folder } = summaryOf({ state });
  const parts: SpentPart[] = JSON.parse(spent);
  parts.sort((one, other) => (`${one.day} ${one.model}` < `${other.day} ${other.model}` ? -1 : 1));
  return parts.map(({ day, ...part }) => ({
    session: id,
    source,
    ...(folder === undefined ? {} : { folder }),
    ...(day === "" ? {} : { day }),
    ...part,
  }));
}
