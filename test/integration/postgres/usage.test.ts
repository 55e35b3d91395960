import { expect, onTestFinished, test } from "vitest";
import type { DragomanError } from "../../../src/core/error.js";
import { UsageLedger } from "../../../src/runtime/usage/ledger.js";
import { openPostgres } from "../../support/postgres/open-store.js";
import { startProxy } from "../../support/postgres/proxy.js";
import { newPostgresAddress } from "../../support/postgres/shared.js";

const prices = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 };
const model = { provider: "acme", id: "m", card: { input: ["text"] as const, thinking: false, prices } };

/** The ledger of a gateway. The token `t` has a budget of a dollar a day. */
async function ledgerAt(address: string, notes: string[] = []): Promise<UsageLedger> {
  const store = await openPostgres(address);
  const ledger = new UsageLedger({
    store,
    now: () => Date.parse("2026-11-16T12:00:00Z"),
    onNote: (text) => notes.push(text),
  });
  ledger.setBudgets(async () => ({ dollars: 1, per: "day" }));
  onTestFinished(async () => {
    await ledger.close();
    await store.close();
  });
  return ledger;
}

function used(dollars: number) {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: dollars };
  const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost };
  return { usage, reasoning: 0, isPriced: true };
}

const begin = (ledger: UsageLedger) => ledger.meter(() => ({ token: "t", agent: "main" })).begin(model);

async function spend(ledger: UsageLedger, dollars: number): Promise<void> {
  await (await begin(ledger))(used(dollars));
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "admitted",
    ({ code, message }: DragomanError) => `${code}: ${message}`,
  );

test("two gateways share the budget of a token", async () => {
  const address = await newPostgresAddress();
  const [one, other] = [await ledgerAt(address), await ledgerAt(address)];
  await spend(one, 0.5);
  expect(await other.status("t")).toMatchObject({ spent: 0.5, remaining: 0.5 });
  await spend(other, 0.25);
  await spend(one, 0.25);
  const spent = "budget/spent: the token's budget of $1/day is spent: $1 used";
  expect(await refusal(one.require("t", model))).toBe(spent);
  expect(await refusal(other.require("t", model))).toBe(spent);
  const costs: number[] = [];
  await other.read({}, ({ cost }) => costs.push(cost));
  expect(costs).toEqual([0.5, 0.25, 0.25]);
});

test("a record whose answer from the server is lost is stored once", async () => {
  const address = await newPostgresAddress();
  const proxy = await startProxy(address);
  const ledger = await ledgerAt(proxy.url);
  const direct = await ledgerAt(address);
  await spend(ledger, 0.25);
  const end = await begin(ledger);
  proxy.swallowAnswers();
  const recording = end(used(0.5));
  for (let spent = 0; spent < 0.75; ) spent = (await direct.status("t"))?.spent ?? 0;
  proxy.cut();
  await recording;
  expect(await ledger.status("t")).toMatchObject({ spent: 0.75 });
  const costs: number[] = [];
  await direct.read({}, ({ cost }) => costs.push(cost));
  expect(costs).toEqual([0.25, 0.5]);
});
