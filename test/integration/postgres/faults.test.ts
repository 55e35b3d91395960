import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { PostgresStore } from "../../../src/log/postgres/postgres-store.js";
import type { SessionLog } from "../../../src/log/types.js";
import { held, keyed, said, texts, user } from "../../conformance/store/tested-store.js";
import { Changing } from "../../support/gateway-clients.js";
import { openPostgres } from "../../support/postgres/open-store.js";
import { type FailingNetwork, startProxy } from "../../support/postgres/proxy.js";
import { startPostgres } from "../../support/postgres/server.js";
import { newPostgresAddress } from "../../support/postgres/shared.js";

/** How many connections are cut, or servers killed. More under DRAGOMAN_SOAK. */
const CUTS = process.env["DRAGOMAN_SOAK"] === undefined ? 12 : 300;
const KILLS = process.env["DRAGOMAN_SOAK"] === undefined ? 2 : 40;

async function open(address: string): Promise<PostgresStore> {
  const store = await openPostgres(address);
  onTestFinished(() => store.close());
  return store;
}

/** A store behind a network that can fail, and the same store without it. */
async function behindProxy(): Promise<{
  proxy: FailingNetwork;
  store: PostgresStore;
  direct: PostgresStore;
}> {
  const address = await newPostgresAddress();
  const proxy = await startProxy(address);
  return { proxy, store: await open(proxy.url), direct: await open(address) };
}

/** Appends to several sessions at once, until it is stopped. */
class Appending extends Changing {
  readonly sessions: readonly SessionLog[];
  acknowledged = 0;
  readonly #stopping = new AbortController();
  readonly #done: Promise<string[][]>;

  private constructor(sessions: readonly SessionLog[]) {
    super();
    this.sessions = sessions;
    this.#done = Promise.all(sessions.map((session, index) => this.#appendTo(session, `${index}`)));
  }

  static async start(store: PostgresStore): Promise<Appending> {
    const sessions = Array.from({ length: 4 }, () => store.log.create({ agent: "main" }));
    return new Appending(await Promise.all(sessions));
  }

  /** The next fault comes soon after something was stored again. */
  async untilNext(pauseMs: number): Promise<void> {
    const enough = this.acknowledged + 1;
    await this.until(() => this.acknowledged >= enough);
    await setTimeout(pauseMs);
  }

  /** The texts that were acknowledged, for each session. */
  stop(): Promise<string[][]> {
    this.#stopping.abort();
    return this.#done;
  }

  /** One after the other, each with its own text. */
  async #appendTo(session: SessionLog, name: string): Promise<string[]> {
    const texts: string[] = [];
    while (!this.#stopping.signal.aborted) {
      const text = `${name}-${texts.length}`;
      await session.append([user(text), user(`${text} again`)]);
      texts.push(text);
      this.acknowledged++;
      this.changed();
    }
    return texts;
  }
}

/** Everything that was acknowledged is stored, once and in order, and nothing else. */
async function expectOnce(store: PostgresStore, appending: Appending): Promise<number> {
  const acknowledged = await appending.stop();
  for (const [index, { id }] of appending.sessions.entries()) {
    const [, ...stored] = await texts(await store.log.open(id));
    expect(stored).toEqual((acknowledged[index] ?? []).flatMap((text) => [text, `${text} again`]));
  }
  return acknowledged.flat().length;
}

test.each([
  { kind: "with a key", message: keyed("lost", "k1"), options: { once: true, due: true } as const },
  { kind: "without a key", message: user("lost"), options: {} },
])("an append $kind whose answer is lost is stored once, and acknowledged", async ({ message, options }) => {
  const { proxy, store, direct } = await behindProxy();
  const session = await store.log.create({ agent: "main" });
  const begin = await session.end();
  await session.append([user("before")]);
  const others = await direct.log.open(session.id);
  const follow = others.tail({ from: begin, signal: AbortSignal.timeout(20_000) })[Symbol.asyncIterator]();
  await follow.next();

  proxy.swallowAnswers();
  const appending = session.append([message], options);
  // It is stored, and its answer will not arrive.
  expect(said((await follow.next()).value)).toBe("lost");
  proxy.cut();
  const { messages, before } = await appending;
  expect([messages.length, before]).toEqual([1, undefined]);
  expect(await texts(session, begin)).toEqual(["before", "lost"]);
  expect(store.counts().repeatedCommits).toBeGreaterThan(0);
  await follow.return?.();
});

test("connections that are cut again and again lose nothing and repeat nothing", async () => {
  const { proxy, store, direct } = await behindProxy();
  const appending = await Appending.start(store);
  for (let cuts = 0; cuts < CUTS; cuts++) {
    await appending.untilNext((cuts * 7) % 20);
    // Without this, most cuts come before the server has stored anything.
    if (cuts % 2 === 0) proxy.swallowAnswers();
    await setTimeout((cuts * 3) % 10);
    proxy.cut();
  }
  expect(await expectOnce(direct, appending)).toBeGreaterThanOrEqual(CUTS);
  expect(store.counts().repeatedCommits).toBeGreaterThan(0);
}, 600_000);

test("a server that is killed loses nothing that was acknowledged", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const store = await open(server.url);
  const appending = await Appending.start(store);
  for (let kills = 0; kills < KILLS; kills++) {
    await appending.untilNext((kills * 37) % 100);
    await server.kill();
    await server.start();
  }
  expect(await expectOnce(store, appending)).toBeGreaterThan(KILLS);
}, 600_000);

test("a holder that cannot reach the server stops itself before another process can be the holder", async () => {
  const { proxy, store, direct } = await behindProxy();
  const session = await store.log.create({ agent: "main" });
  const lease = held(await store.log.lease(session.id));
  await session.append([user("a")], { under: lease });
  const account = held(await store.lease("channels/telegram/main"));
  const parted = performance.now();
  const [lostAfter, freeAfter] = [once(lease.lost, "abort"), once(account.lost, "abort")].map(
    async (event) => {
      await event;
      return performance.now() - parted;
    },
  );
  proxy.part();
  // Its connection is gone, so that the session is free after a second. The account is not: a platform knows no fences.
  const next = await direct.log.waitForLease(session.id, AbortSignal.timeout(20_000));
  const sessionAfter = performance.now() - parted;
  expect(await direct.lease("channels/telegram/main")).toBeUndefined();
  const taken = await direct.waitForLease("channels/telegram/main", AbortSignal.timeout(20_000));
  const accountAfter = performance.now() - parted;
  expect(await lostAfter).toBeLessThan(accountAfter);
  expect(await freeAfter).toBeLessThan(accountAfter);
  expect(sessionAfter).toBeLessThan(accountAfter);
  proxy.restore();
  await expect(session.append([user("late")], { under: lease })).rejects.toMatchObject({
    code: "log/fenced",
  });
  const again = await direct.log.open(session.id);
  await again.append([user("b")], { under: next });
  expect(await texts(session)).toEqual(["session", "a", "b"]);
  for (const done of [next, taken]) await done.release();
}, 60_000);

test("text of a run's mark that arrives after the mark was cleared is not kept", async () => {
  const address = await newPostgresAddress();
  const store = await open(address);
  const session = await store.log.create({ agent: "main" });
  const lease = held(await store.log.lease(session.id));
  const mark = store.mark(session.id, lease);
  await mark.open();
  await mark.append("first");
  await mark.clear();
  const sql = new pg.Client({ connectionString: address.replace(/\?.*/, "") });
  await sql.connect();
  onTestFinished(() => sql.end());
  await sql.query(`set search_path = ${new URL(address).searchParams.get("schema")}`);
  const { rows } = await sql.query<{ n: string }>(
    `select mark_batch(s.holder, '{2}', array[s.id], array[s.fence], '{append}', '{late}') as n from session s`,
  );
  expect([rows, await mark.read()]).toEqual([[{ n: "2" }], ""]);
  await mark.append("second");
  expect(await mark.read()).toBe("second");
});

test("a server that cannot be reached is reported, and nothing is stored", async () => {
  const { proxy, store, direct } = await behindProxy();
  const session = await store.log.create({ agent: "main" });
  const end = await session.end();
  proxy.part();
  const refused = { code: "log/unavailable" };
  await expect(store.ready()).rejects.toMatchObject(refused);
  await expect(session.append([user("a")])).rejects.toMatchObject(refused);
  proxy.restore();
  await expect(store.ready()).resolves.toBeUndefined();
  expect(await (await direct.log.open(session.id)).end()).toBe(end);
}, 60_000);
