import pg from "pg";
import { PostgresStore } from "../../dist/log/postgres/postgres-store.js";
import { type AppendLoad, line, message, timeOf } from "../support/append-load.js";
import type { Case, Host, Row } from "../support/case.js";
import { benchAddress, noAddress, noIndex } from "../support/postgres.js";

/** A fraction of the floor's appends per second. */
const SPEED_AT_LEAST = 0.7;

const loads: AppendLoad[] = [
  { name: "1 session", sessions: 1, callers: 1, appends: 2_000 },
  { name: "1 session, 64 callers", sessions: 1, callers: 64, appends: 300 },
  { name: "64 sessions", sessions: 64, callers: 1, appends: 300 },
];

interface Contender {
  appends: (() => Promise<unknown>)[];
  close(): Promise<void>;
}

/** Group commit alone: lines that arrive while the server is busy are one statement over the same driver. */
async function bare(address: string, sessions: number): Promise<Contender> {
  const client = new pg.Client({ connectionString: address.replace(/\?.*/, "") });
  await client.connect();
  await client.query(
    "create table if not exists bare_line (session int, n bigint generated always as identity, line text, primary key (session, n))",
  );
  const text = "insert into bare_line (session, line) select * from unnest($1::int[], $2::text[])";
  let waiting: { session: number; resolve: () => void }[] = [];
  let busy = false;
  const run = async () => {
    busy = true;
    while (waiting.length > 0) {
      await new Promise(setImmediate);
      const batch = waiting;
      waiting = [];
      const values = [batch.map(({ session }) => session), batch.map(() => line)];
      await client.query({ name: "insert", text, values });
      for (const { resolve } of batch) resolve();
    }
    busy = false;
  };
  const appends = Array.from(
    { length: sessions },
    (_, session) => () =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ session, resolve });
        if (!busy) run().catch(reject);
      }),
  );
  return { appends, close: () => client.end() };
}

async function dragoman(address: string, sessions: number): Promise<Contender> {
  const store = await PostgresStore.open(address, { env: {}, openOthers: noIndex });
  const made = await Promise.all(Array.from({ length: sessions }, () => store.log.create({ agent: "main" })));
  return { appends: made.map((session) => () => session.append([message])), close: () => store.close() };
}

function work(contender: (address: string, sessions: number) => Promise<Contender>) {
  return async (argument: string) => {
    const load: AppendLoad = JSON.parse(argument);
    const all = await contender(benchAddress("append") ?? "", load.sessions);
    const time = await timeOf(load, all.appends);
    await all.close();
    return time;
  };
}

async function measure(host: Host): Promise<Row[]> {
  if (benchAddress("append") === undefined) return noAddress(host);
  const rows: Row[] = [];
  for (const load of loads) {
    const argument = JSON.stringify(load);
    const results = await host.compare([
      { label: `${load.name}  floor: one insert of all lines`, work: "bare", argument },
      { label: `${load.name}  dragoman`, work: "dragoman", argument },
    ]);
    for (const { label, work: name, cpuMs, floors } of results) {
      const speed = 1 / floors;
      rows.push({
        label,
        figures: {
          "appends per s": (load.sessions * load.callers * load.appends) / (cpuMs / 1000),
          "speed of floor": name === "dragoman" ? { value: speed, atLeast: SPEED_AT_LEAST } : speed,
        },
      });
    }
  }
  host.note("Wall-clock times, each append acknowledged when it is committed.");
  return rows;
}

export const postgresAppend: Case = {
  title: "messages of 1 KB appended to sessions in PostgreSQL",
  works: { bare: work(bare), dragoman: work(dragoman) },
  onlyThisVersion: "Older versions are not measured with PostgreSQL.",
  measure,
};
