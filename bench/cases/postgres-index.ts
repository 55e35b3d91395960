import pg from "pg";
import { PostgresStore } from "../../dist/log/postgres/postgres-store.js";
import type { Case, Host, Row } from "../support/case.js";
import { benchAddress, noAddress, noIndex } from "../support/postgres.js";

const LIST_AT_MOST_MS = 5;
const SEARCH_AT_MOST_MS = 150;
const SESSIONS = 100_000;
const MESSAGES = 1_000_000;
const REPEATS = 40;

/** Words by how often they occur: `w1` in most messages, `w5000` in few. */
const queries = ["w1", "w3 w7", "w40", '"w2 w5"', "w900", "w4000 -w1", "w123"];

async function fill(address: string): Promise<void> {
  const { searchParams } = new URL(address);
  const client = new pg.Client({ connectionString: address.replace(/\?.*/, "") });
  await client.connect();
  await client.query(`set search_path = ${searchParams.get("schema") ?? "dragoman"}`);
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from indexed_session",
  );
  if ((rows[0]?.count ?? 0) < SESSIONS) {
    const usage = `{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}`;
    await client.query(
      `insert into indexed_session (id, position, agent, archived, created, active, state, spent)
      select 'S' || i, 1, 'main', false, i, (i * 7919) % 1000003, json_build_object(
        'summary', json_build_object('id', 'S' || i, 'source', 'dragoman', 'agent', 'main', 'path', 'postgres:S' || i,
          'foreign', false, 'counts', json_build_object('user', 1, 'assistant', 1, 'toolResult', 0, 'lines', 3, 'bad', 0),
          'badLines', '[]'::json, 'usage', $2::json, 'unknownPrices', false, 'models', '[]'::json, 'archived', false),
        'opening', 'Title ' || i, 'inode', 0, 'position', 1, 'size', 1, 'modified', 1)::text, '[]'
      from generate_series(1, $1) i`,
      [SESSIONS, usage],
    );
    await client.query(
      `insert into indexed_message (session, id, position, role, timestamp, text, words)
      select 1 + m % ${SESSIONS}, 'M' || m, 0, 'user', m, t.text, to_tsvector('simple', t.text)
      from generate_series(1, $1) m cross join lateral (
        select string_agg('w' || ceil(power(random(), 3) * 5000 + 0 * word)::int, ' ') as text
        from generate_series(1, 20 + m % 20) word) t`,
      [MESSAGES],
    );
    await client.query("analyze indexed_session");
    await client.query("analyze indexed_message");
  }
  await client.end();
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function timesOf(work: (count: number) => Promise<unknown>): Promise<number[]> {
  for (let count = 0; count < queries.length; count++) await work(count);
  const times: number[] = [];
  for (let count = 0; count < REPEATS; count++) {
    const start = performance.now();
    await work(count);
    times.push(performance.now() - start);
  }
  return times;
}

async function measure(host: Host): Promise<Row[]> {
  const address = benchAddress("index");
  if (address === undefined) return noAddress(host);
  if (!host.full) {
    host.note("Not measured: a million messages take minutes to create; use --full.");
    return [];
  }
  const store = await PostgresStore.open(address, { env: {}, openOthers: noIndex });
  try {
    host.progress("creating a million messages");
    await fill(address);
    const list = await timesOf(async () => {
      await store.catalogue.update();
      await store.catalogue.list({ limit: 50 });
    });
    const search = await timesOf((count) => store.catalogue.search(queries[count % queries.length] ?? ""));
    return [
      {
        label: "50 of 100,000 sessions",
        figures: {
          "p50 ms": { value: percentile(list, 0.5), atMost: LIST_AT_MOST_MS },
          "p95 ms": percentile(list, 0.95),
        },
      },
      {
        label: "search in 1,000,000 messages",
        figures: {
          "p50 ms": percentile(search, 0.5),
          "p95 ms": { value: percentile(search, 0.95), atMost: SEARCH_AT_MOST_MS },
        },
      },
    ];
  } finally {
    await store.close();
  }
}

export const postgresIndex: Case = {
  title: "sessions in PostgreSQL listed and searched",
  works: {},
  onlyThisVersion: "Older versions are not measured with PostgreSQL.",
  measure,
};
