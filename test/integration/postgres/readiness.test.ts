import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { openPostgres } from "../../support/postgres/open-store.js";
import { type PostgresServer, startPostgres } from "../../support/postgres/server.js";

async function waitForStandby({ url }: PostgresServer, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`alter system set synchronous_standby_names = '${name}'`);
  await client.query("select pg_reload_conf()");
  await client.end();
}

test("a store whose commits wait for a standby that is gone is not ready until they no longer do", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const store = await openPostgres(server.url);
  onTestFinished(() => store.close());
  const isReady = () =>
    store.ready().then(
      () => true,
      () => false,
    );
  expect(await isReady()).toBe(true);
  await waitForStandby(server, "gone");
  await vi.waitUntil(async () => !(await isReady()), { timeout: 30_000 });
  await waitForStandby(server, "");
  await vi.waitUntil(isReady, { timeout: 30_000 });
}, 90_000);
