import { sumUsage } from "../../../core/message/usage.js";
import type { SpentPart } from "../../catalogue/digest.js";
import { addLine, beforeOf, type Part, Parts } from "../../catalogue/parts.js";
import { separated } from "../../catalogue/searchable.js";
import { newState, type SessionState } from "../../catalogue/state.js";
import { HOME_SOURCE, type UpdateOptions } from "../../catalogue/types.js";
import type { SessionFile } from "../../types.js";
import type { Database } from "../database.js";
import { bytesOf, linesFrom } from "../reader.js";
import { vectorOf } from "./words.js";

const PAGE = 500;

interface Known {
  state: SessionState;
  spent: SpentPart[];
}

interface StaleSession {
  id: string;
  agent: string;
  size: number;
  modified: number;
}

/**
 * Indexes sessions with new messages.
 *
 * @param ids only these (default: all)
 * @param proceed called between steps; throws to cancel the rest
 */
export async function updateStale(
  database: Database,
  proceed: () => void,
  ids?: readonly string[],
  onProgress?: UpdateOptions["onProgress"],
): Promise<number> {
  let indexed = 0;
  for (let after = ""; ; ) {
    const stale = await database.run<StaleSession>({
      name: "stale",
      text: `select id, agent, size::float8 as size, floor(extract(epoch from modified) * 1000)::float8 as modified
        from session where stale and visible and id > $1 and ($2::text[] is null or id = any ($2)) order by id limit ${PAGE}`,
      values: [after, ids ?? null],
    });
    const totalBytes = stale.reduce((sum, { size }) => sum + size, 0);
    let bytes = 0;
    for (const [index, session] of stale.entries()) {
      proceed();
      await indexSession(database, session);
      bytes += session.size;
      onProgress?.({ indexed: indexed + index + 1, changed: indexed + stale.length, bytes, totalBytes });
    }
    indexed += stale.length;
    const last = stale.at(-1);
    if (last === undefined) return indexed;
    after = last.id;
  }
}

async function indexSession(database: Database, { id, agent, size, modified }: StaleSession): Promise<void> {
  const row = await database.first<{ state: string; spent: string }>({
    name: "indexed",
    text: "select state, spent from indexed_session where id = $1",
    values: [id],
  });
  const known: Known | undefined =
    row === undefined ? undefined : { state: JSON.parse(row.state), spent: JSON.parse(row.spent) };
  const file = { id, agent, path: `postgres:${id}`, foreign: false, size, modified };
  let spent = known?.spent ?? [];
  for await (const part of partsOf(database, file, known?.state)) {
    spent = addSpent(spent, part.spent);
    // Another process was faster. It does the rest.
    if (!(await writePart(database, part, spent))) return;
  }
  const text = "update session set stale = false where id = $1 and size = $2";
  await database.run({ name: "not stale", text, values: [id, size] });
}

async function* partsOf(
  database: Database,
  file: SessionFile,
  known: SessionState | undefined,
): AsyncGenerator<Part> {
  const state = known === undefined ? newState(file, HOME_SOURCE) : structuredClone(known);
  const parts = new Parts(state, beforeOf(known), false);
  while (state.position < file.size) {
    const rows = await linesFrom(database, file.id, state.position);
    if (rows.length === 0) break;
    for (const row of rows) {
      const bytes = bytesOf(row);
      addLine(parts.digest, { bytes, line: 1, offset: row.position, terminated: true }, row.position);
      state.position = row.position + bytes.length + 1;
      yield* parts.flushIfFull();
    }
  }
  yield parts.finish(file);
}

async function writePart(database: Database, part: Part, spent: readonly SpentPart[]): Promise<boolean> {
  const { state, texts, before } = part;
  const { summary, position } = state;
  const shown = texts.map(({ text }) => separated(text));
  const row = await database.first<{ isAdded: boolean }>({
    name: "index part",
    text: `select index_part($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) as "isAdded"`,
    values: [
      ...[
        summary.id,
        before?.position ?? null,
        position,
        summary.agent,
        summary.key ?? null,
        summary.archived,
      ],
      ...[summary.created ?? 0, summary.active ?? 0, JSON.stringify(state), JSON.stringify(spent)],
      texts.map(({ id }) => id ?? null),
      texts.map((text) => text.position),
      texts.map(({ role }) => role),
      texts.map(({ timestamp }) => timestamp),
      shown,
      shown.map(vectorOf),
    ],
  });
  return row?.isAdded === true;
}

function addSpent(known: readonly SpentPart[], added: readonly SpentPart[]): SpentPart[] {
  const sums = new Map(known.map((part) => [`${part.day} ${part.model}`, part]));
  for (const part of added) {
    const key = `${part.day} ${part.model}`;
    const before = sums.get(key);
    sums.set(
      key,
      before === undefined
        ? part
        : {
            ...part,
            answers: before.answers + part.answers,
            usage: sumUsage([before.usage, part.usage]),
            unknownPrices: before.unknownPrices || part.unknownPrices,
          },
    );
  }
  return [...sums.values()];
}
