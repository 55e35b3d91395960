import type { Client } from "pg";
import { DragomanError } from "../../core/error.js";
import { type SchemaStep, STEPS } from "./schema/steps.js";

interface Version {
  version: number;
  oldest: number;
}

/** The server's version number of PostgreSQL 15. */
const OLDEST_SERVER = 150_000;

/**
 * Brings a store's tables up to date. A store that a newer program has changed is accepted if that program left it usable for
 * this one; otherwise it is refused.
 *
 * @param shown names the store for people
 */
export async function migrate(
  client: Client,
  schema: string,
  shown: string,
  steps: readonly SchemaStep[] = STEPS,
): Promise<void> {
  await requireServer(client, shown);
  const last = steps.at(-1)?.version ?? 0;
  const found = await versionOf(client, schema);
  if (found !== undefined && found.version >= last) {
    requireUsable(found, last, shown);
    return;
  }
  await client.query("begin");
  try {
    // One process at a time: schemas in one database are rare, so that all of them share a lock.
    await client.query("select pg_advisory_xact_lock(hashtext('dragoman'), 0)");
    await client.query(`create schema if not exists ${schema}`);
    await client.query(`create table if not exists ${schema}.migration (
      version int primary key, oldest int not null, applied timestamptz not null default clock_timestamp())`);
    const before = (await versionOf(client, schema)) ?? { version: 0, oldest: 0 };
    requireUsable(before, last, shown);
    for (const { version, oldest, sql } of steps) {
      if (version <= before.version) continue;
      await client.query(sql);
      await client.query(`insert into ${schema}.migration (version, oldest) values ($1, $2)`, [
        version,
        oldest,
      ]);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function versionOf(client: Client, schema: string): Promise<Version | undefined> {
  const { rows: tables } = await client.query<{ name: string | null }>(
    "select to_regclass($1)::text as name",
    [`${schema}.migration`],
  );
  if (tables[0]?.name == null) return undefined;
  const { rows } = await client.query<Version>(
    `select version, oldest from ${schema}.migration order by version desc limit 1`,
  );
  return rows[0];
}

function requireUsable({ version, oldest }: Version, own: number, shown: string): void {
  if (version <= own || oldest <= own) return;
  throw new DragomanError(
    "log/newer-store",
    `${shown} was updated by a newer Dragoman: its tables have version ${version}, and this program knows ${own}`,
    { hint: "update this program to the version that the other gateways run" },
  );
}

async function requireServer(client: Client, shown: string): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as version",
  );
  const [server] = rows;
  if (server === undefined || server.number >= OLDEST_SERVER) return;
  throw new DragomanError("log/unreadable", `${shown} runs PostgreSQL ${server.version}`, {
    hint: "use PostgreSQL 15 or later",
  });
}
