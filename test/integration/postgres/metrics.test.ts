import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { MetricsRegistry, watchStore } from "../../../src/gateway/metrics.js";
import { held, user } from "../../conformance/store/tested-store.js";
import { openPostgres } from "../../support/postgres/open-store.js";
import { newPostgresAddress } from "../../support/postgres/shared.js";

test("metrics count the appends, commits, leases and takeovers of a process", async () => {
  const address = await newPostgresAddress();
  const first = await openPostgres(address);
  onTestFinished(() => first.close());
  const session = await first.log.create({ agent: "main" });
  held(await first.log.lease(session.id));
  const client = new pg.Client({ connectionString: address.replace(/\?.*/, "") });
  await client.connect();
  const schema = new URL(address).searchParams.get("schema");
  await client.query(`update ${schema}.process set gone = true`);
  await client.end();

  const second = await openPostgres(address);
  onTestFinished(() => second.close());
  const lease = held(await second.log.lease(session.id));
  const there = await second.log.open(session.id);
  await Promise.all([
    there.append([user("one")], { under: lease }),
    there.append([user("two")], { under: lease }),
  ]);
  await there.append([user("three")]);
  const metrics = new MetricsRegistry();
  watchStore(metrics, second);
  const text = await metrics.text();
  expect(text.split("\n").filter((line) => line.startsWith("dragoman_"))).toEqual([
    "dragoman_store_appends_total 3",
    "dragoman_store_commits_total 2",
    "dragoman_store_leases_total 1",
    "dragoman_store_lost_leases_total 0",
    "dragoman_store_repeated_commits_total 0",
    "dragoman_store_takeovers_total 1",
  ]);
});
