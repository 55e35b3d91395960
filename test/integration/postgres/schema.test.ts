import { createHash } from "node:crypto";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { newId } from "../../../src/core/ids.js";
import { parseAddress } from "../../../src/log/postgres/address.js";
import { migrate } from "../../../src/log/postgres/migrate.js";
import { STEPS } from "../../../src/log/postgres/schema/steps.js";
import { held, texts, user } from "../../conformance/store/tested-store.js";
import { openPostgres } from "../../support/postgres/open-store.js";
import { newPostgresAddress } from "../../support/postgres/shared.js";

async function connected(address: string) {
  const schema = new URL(address).searchParams.get("schema") ?? "";
  const client = new pg.Client({ connectionString: address.replace(/\?.*/, "") });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`set search_path = ${schema}`);
  const versions = async () => {
    const { rows } = await client.query<{ version: number }>(
      "select version from migration order by version",
    );
    return rows.map(({ version }) => version);
  };
  return { client, schema, versions };
}

test("processes that open a new store at the same time create its tables once", async () => {
  const address = await newPostgresAddress();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgres(address)));
  await Promise.all(stores.map((store) => store.close()));
  expect(await (await connected(address)).versions()).toEqual([1, 2, 3, 4]);
});

test("a program adds the steps that are missing, once, and keeps what is stored", async () => {
  const { client, schema, versions } = await connected(await newPostgresAddress());
  const first = { version: 1, oldest: 1, sql: "create table thing (a int); insert into thing values (7)" };
  const second = { version: 2, oldest: 1, sql: "alter table thing add column b int default 8" };
  await migrate(client, schema, "the store", [first]);
  await migrate(client, schema, "the store", [first, second]);
  await migrate(client, schema, "the store", [first, second]);
  expect(await versions()).toEqual([1, 2]);
  expect((await client.query("select a, b from thing")).rows).toEqual([{ a: 7, b: 8 }]);
});

test("a step that fails leaves the tables as they were", async () => {
  const { client, schema } = await connected(await newPostgresAddress());
  const broken = { version: 1, oldest: 1, sql: "create table thing (a int); select 1 / 0" };
  await expect(migrate(client, schema, "the store", [broken])).rejects.toMatchObject({ code: "22012" });
  expect((await client.query("select to_regclass('thing') as name")).rows).toEqual([{ name: null }]);
});

test("a store that a newer program has only added to can be used; one that it has changed is refused", async () => {
  const address = await newPostgresAddress();
  await (await openPostgres(address)).close();
  const { client } = await connected(address);
  await client.query("insert into migration (version, oldest) values (5, 4)");
  const store = await openPostgres(address);
  await (await store.log.create({ agent: "main" })).close();
  await store.close();
  await client.query("insert into migration (version, oldest) values (6, 5)");
  await expect(openPostgres(address)).rejects.toMatchObject({
    code: "log/newer-store",
    message: expect.stringContaining("its tables have version 6, and this program knows 4"),
    hint: "update this program to the version that the other gateways run",
  });
});

test("a server before PostgreSQL 15 is refused", async () => {
  const { client, schema } = await connected(await newPostgresAddress());
  await client.query(`create schema ${schema}`);
  // Functions of this schema come before those of the server.
  await client.query(`set search_path = ${schema}, pg_catalog`);
  await client.query(`create function current_setting(text) returns text language sql
    as $$ select case $1 when 'server_version_num' then '140011' else '14.11' end $$`);
  await expect(migrate(client, schema, "the store")).rejects.toMatchObject({
    code: "log/unreadable",
    message: "the store runs PostgreSQL 14.11",
    hint: "use PostgreSQL 15 or later",
  });
});

test("a published step is the same as when stores were created with it", () => {
  const digests = STEPS.map(({ sql }) => createHash("sha256").update(sql).digest("hex"));
  expect(digests.slice(0, 3)).toEqual([
    "fdd5f38eb7defc41e4b7c0c2f64efb28319e019c8330681b77c9875c82437b91",
    "dad61e257fb520e7aa4a9218adca0b1b13c4b319faaae4b78d860aac821dfed0",
    "7fdbea0694bf869f4e442f9d61d55bede81267bcaf46d28cabd34aa121493fef",
  ]);
});

test("programs of versions 1, 2 and 4 append to the same session", async () => {
  const address = await newPostgresAddress();
  const { client, schema } = await connected(address);
  await migrate(client, schema, "the store", STEPS.slice(0, 1));
  const id = newId();
  const header = { role: "session", id, agent: "main", timestamp: 1 };
  await client.query("select create_session($1, 'main', $2, null, false)", [id, JSON.stringify(header)]);
  const process = newId();
  await client.query("insert into process (id, until) values ($1, clock_timestamp() + interval '1 hour')", [
    process,
  ]);
  const acquired = await client.query("select fence::int from acquire_session($1, $2)", [id, process]);
  const { fence }: { fence: number } = acquired.rows[0];
  let batch = 0;
  /** As version 1 does it, for one message without a key. */
  const append = async (text: string) => {
    const line = JSON.stringify(user(text));
    const { rows } = await client.query<{ outcome: string }>(
      `select outcome from append_batch('old', $1, $2, array[$3], array[null::bigint], array[$4::bigint], '{0}', array[$5::bigint],
        '{}', '{}', '{}', '{}', '{}', '{1}', '{0}', array[$6])`,
      [++batch, process, id, fence, line.length + 1, line],
    );
    return rows[0]?.outcome;
  };
  /** As version 2 does it: whether it was stored. */
  const appendInGroup = async (text: string) => {
    const line = JSON.stringify(user(text));
    const { rows } = await client.query<{ starts: string[] }>(
      `select starts from append_lines('old 2', $1, $2, array[$3], array[null::bigint], array[$4::bigint], '{0}', array[$5::bigint],
        $6, '{1}', '{0}', false, '{}', '{}', '{}', '{}')`,
      [++batch, process, id, fence, line.length + 1, line],
    );
    return rows[0]?.starts[0] !== null;
  };
  expect(await append("one, by 1")).toBe("stored");

  const store = await openPostgres(address);
  onTestFinished(() => store.close());
  const session = await store.log.open(id);
  await session.append([user("two, by 4")], { due: true });
  expect(await append("three, by 1")).toBe("stored");
  expect(await appendInGroup("four, by 2")).toBe(true);
  expect(await store.log.lease(id)).toBeUndefined();
  await client.query("update process set gone = true where id = $1", [process]);
  const lease = held(await store.log.lease(id));
  await session.append([user("five, by 4")], { under: lease });
  expect(await append("late, by 1")).toBe("fenced");
  expect(await appendInGroup("late, by 2")).toBe(false);
  expect(await texts(session)).toEqual([
    "session",
    "one, by 1",
    "two, by 4",
    "three, by 1",
    "four, by 2",
    "five, by 4",
  ]);
  await lease.release();
});

test("an address names hosts, database and schema, and is shown without its password", () => {
  const address = "postgres://ann:a%2Fb@db1,db2:5433/messages?schema=team_a&sslmode=verify-full";
  expect(parseAddress(address, {})).toEqual({
    hosts: [
      { host: "db1", port: 5432 },
      { host: "db2", port: 5433 },
    ],
    database: "messages",
    user: "ann",
    password: "a/b",
    schema: "team_a",
    encryption: "verify-full",
    shown: "postgres://db1,db2:5433/messages?schema=team_a",
  });
  expect(
    parseAddress("postgresql://db", { PGPASSWORD: "p", PGUSER: "u", PGSSLMODE: "require" }),
  ).toMatchObject({
    hosts: [{ host: "db", port: 5432 }],
    ...{ database: "dragoman", user: "u", password: "p", schema: "dragoman", encryption: "no-verify" },
  });
});

test.each([
  "postgres://u:hush@h:99999/d",
  "postgres://u:hush@h/d?schema=Robert'); drop",
  "postgres://u:hush@h/d?pool=5",
  "postgres://u:hush@h/d?sslmode=maybe",
  "postgres://u:hush%@h/d",
  "postgres://u:hush@hush@h/d",
  "postgres://u:hu/hush@h/d",
  "postgres://u:1/hush@h/d",
  "postgres://u:1?hush=1@h/d",
  "postgres://u:hush#hush@h/d",
  "postgres://u:1?hush@h/d",
  "postgres://hush:hush/d",
])("%j is not an address, and the error does not name the password", (address) => {
  const refuse = () => parseAddress(address, {});
  expect(refuse).toThrow(/the address of the store is not valid/);
  expect(refuse).not.toThrow(/hush/);
});
