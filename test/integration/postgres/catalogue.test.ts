import { expect, onTestFinished, test } from "vitest";
import { emptyUsage } from "../../../src/core/message/usage.js";
import type { AgentMessage } from "../../../src/core/types.js";
import type { ListOptions, SearchFilters } from "../../../src/log/catalogue/types.js";
import { openPostgres } from "../../support/postgres/open-store.js";
import { newPostgresAddress } from "../../support/postgres/shared.js";

const said = {
  plain: "Fix the log file of the parser",
  operators: "AND OR NOT NEAR(a b) col:umn ^start (x) a* {y} + - '; drop table",
  quotes: 'she said "hello there" and left',
  accents: "Crème brûlée à la façon d'Åse",
  chinese: "我们在东日本桥讨论全文搜索",
  korean: "데이터베이스를 검색합니다",
  nul: "before\0after",
  half: "lone \ud800 surrogate",
  long: `${"word ".repeat(20_000)}beyond`,
};

function user(id: string, content: string, timestamp: number): AgentMessage {
  return { role: "user", id, content, timestamp };
}

function answer(text: string, timestamp: number): AgentMessage {
  const usage = { ...emptyUsage(), input: 3, output: 4, totalTokens: 7 };
  const content = [{ type: "text" as const, text }];
  return {
    role: "assistant",
    ...{ content, api: "messages", provider: "p", model: "m", usage, stopReason: "stop", timestamp },
  };
}

async function open() {
  const address = await newPostgresAddress();
  const stores = [await openPostgres(address), await openPostgres(address)] as const;
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  return stores;
}

test("messages are found by words, phrases, beginnings and single characters of unspaced scripts", async () => {
  const [store, other] = await open();
  const session = await store.log.create({ agent: "main", key: "agent:main:main" });
  await session.append(Object.entries(said).map(([id, text], index) => user(id, text, 100 + index)));
  expect(await store.catalogue.update()).toEqual({ sessions: 1, changed: 1, removed: 0 });
  expect(await other.catalogue.update()).toEqual({ sessions: 0, changed: 0, removed: 0 });
  const found = async (query: string, filters: SearchFilters = {}) =>
    (await other.catalogue.search(query, filters)).hits.map(({ message }) => message).sort();
  expect(await found("parser")).toEqual(["plain"]);
  expect(await found("PARS")).toEqual(["plain"]);
  expect(await found("pars file")).toEqual([]);
  expect(await found('"log file" parser')).toEqual(["plain"]);
  expect(await found('"file log"')).toEqual([]);
  expect(await found("the -parser")).toEqual([]);
  expect(await found("left -parser")).toEqual(["quotes"]);
  expect(await found("creme facon")).toEqual(["accents"]);
  expect(await found("日本")).toEqual(["chinese"]);
  expect(await found("검색")).toEqual(["korean"]);
  expect(await found("'; drop table")).toEqual(["operators"]);
  expect(await found("after")).toEqual(["nul"]);
  expect(await found("surrogate")).toEqual(["half"]);
  expect(await found("beyond")).toEqual([]);
  expect(await found("parser", { since: 101 })).toEqual([]);
  expect(await found("parser", { role: "assistant" })).toEqual([]);
  expect(await found("parser", { key: "agent:main:main", agents: ["main"] })).toEqual(["plain"]);
  expect(await found("parser", { except: "main" })).toEqual([]);
  const { hits, ignored } = await store.catalogue.search('log -" " "file of"');
  expect(hits[0]?.snippet.filter(({ match }) => match).map(({ text }) => text)).toEqual(["log", "file of"]);
  expect(hits[0]).toMatchObject({
    session: session.id,
    source: "dragoman",
    agent: "main",
    role: "user",
    timestamp: 100,
  });
  expect(hits[0]?.position).toBe((await session.read()[Symbol.asyncIterator]().next()).value.next);
  expect(ignored).toEqual([]);
  await session.append(Array.from({ length: 101 }, (_, index) => user(`m${index}`, "a blue moon", 200)));
  await store.catalogue.update();
  expect(await store.catalogue.search('"blue moon"', { limit: 1 })).toMatchObject({ total: 100, more: true });
  expect(await store.catalogue.search("moon", { limit: 1 })).toMatchObject({ total: 101 });
});

test("sessions are listed latest first, page by page, and indexed again as they grow", async () => {
  const [store, other] = await open();
  const made = [];
  for (const number of [1, 2, 3]) {
    const session = await store.log.create({
      agent: number === 3 ? "other" : "main",
      title: `Plan ${number}`,
    });
    await session.append([user("u", "hello", 1000 * number)]);
    made.push(session);
  }
  const [first, second, third] = made;
  await store.catalogue.update();
  const ids = (sessions: { id: string }[]) => sessions.map(({ id }) => id);
  expect(ids(await other.catalogue.list())).toEqual([third?.id, second?.id, first?.id]);
  expect(ids(await other.catalogue.list({ limit: 1, before: third?.id ?? "" }))).toEqual([second?.id]);
  expect(ids(await other.catalogue.list({ agent: "main" }))).toEqual([second?.id, first?.id]);
  await (await other.log.open(first?.id ?? "")).append([answer("fine", 9000)]);
  await other.catalogue.indexSoon(first?.id ?? "");
  const [latest] = await store.catalogue.list({ limit: 1 });
  expect(latest).toMatchObject({
    id: first?.id,
    title: "Plan 1",
    active: 9000,
    counts: { user: 1, assistant: 1, toolResult: 0, lines: 3, bad: 0 },
    models: ["p/m"],
  });
  expect((await store.catalogue.get(first?.id ?? ""))?.title).toBe("Plan 1");
  expect(await store.catalogue.get("nothing")).toBeUndefined();
  await expect(store.catalogue.get((first?.id ?? "").slice(0, 2))).rejects.toMatchObject({
    code: "log/ambiguous",
  });
  expect(await store.catalogue.stats({ agents: ["main"] })).toMatchObject({
    sessions: 2,
    usage: { totalTokens: 7 },
  });
  expect(await store.catalogue.spending()).toEqual([
    {
      session: first?.id,
      source: "dragoman",
      day: "1970-01-01",
      model: "p/m",
      answers: 1,
      usage: { ...emptyUsage(), input: 3, output: 4, totalTokens: 7 },
      unknownPrices: false,
    },
  ]);
});

test("sessions are listed and found by channel, folder, time and parent", async () => {
  const [store, other] = await open();
  const create = async (fields: object, text: string, time: number) => {
    const session = await store.log.create({ agent: "main", ...fields });
    await session.append([user(`at ${time}`, text, time)]);
    return session.id;
  };
  const phone = await create({ key: "agent:main:telegram@work:dm:7" }, "half \ud800 word", 100);
  const work = await create({ meta: { cwd: "/srv/app" } }, 'a word, "folder":"/srv" and \0', 200);
  const fork = await create({ parent: { session: work, message: "m" } }, "word", 300);
  await store.catalogue.update();
  const ids = async (filter: ListOptions) => (await other.catalogue.list(filter)).map(({ id }) => id);
  expect(await ids({ channel: "telegram" })).toEqual([phone]);
  expect(await ids({ channel: "dm" })).toEqual([]);
  expect(await ids({ folder: "/srv/app" })).toEqual([work]);
  expect(await ids({ folder: "/srv" })).toEqual([]);
  expect(await ids({ parent: work })).toEqual([fork]);
  expect(await ids({ since: 150, until: 250 })).toEqual([work]);
  expect(await other.catalogue.search("word", { limit: 1 })).toMatchObject({ hits: [{}], total: 3 });
  expect(await other.catalogue.search("word", { folder: "/srv/app" })).toMatchObject({
    hits: [{ session: work }],
    total: 1,
  });
});
