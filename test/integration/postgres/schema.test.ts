import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { parseAddress } from "../../../src/log/postgres/address.js";
import { migrate } from "../../../src/log/postgres/migrate.js";
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
  expect(await (await connected(address)).versions()).toEqual([1, 2]);
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
  await client.query("insert into migration (version, oldest) values (3, 2)");
  const store = await openPostgres(address);
  await (await store.log.create({ agent: "main" })).close();
  await store.close();
  await client.query("insert into migration (version, oldest) values (4, 3)");
  await expect(openPostgres(address)).rejects.toMatchObject({
    code: "log/newer-store",
    message: expect.stringContaining("its tables have version 4, and this program knows 2"),
    hint: "update this program to the version that the other gateways run",
  });
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
