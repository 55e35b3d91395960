import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import type { DragomanError } from "../../core/error.js";
import { openLines } from "../../log/files/line-files.js";
import type { Budget } from "./budget.js";
import { UsageLedger } from "./ledger.js";
import type { UsageRecord } from "./record.js";

const path = folderForEachTest();

const card = { input: ["text"] as const, thinking: false };
const prices = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 };
const model = { provider: "acme", id: "m", card: { ...card, prices } };

/** A ledger whose only token, `t`, has this budget. The clock stands still until a test moves it. */
function ledgerAt(iso: string, budget?: Budget) {
  const clock = { now: Date.parse(iso) };
  const notes: string[] = [];
  const ledger = new UsageLedger({
    store: openLines(path(".")),
    now: () => clock.now,
    onNote: (text) => notes.push(text),
  });
  ledger.setBudgets(async (token) => (token === "t" ? budget : undefined));
  return { ledger, clock, notes };
}

const used = (cost: number) => ({
  usage: {
    input: 10,
    output: 5,
    cacheRead: 3,
    cacheWrite: 2,
    totalTokens: 20,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost },
  },
  reasoning: 4,
  isPriced: true,
});

async function spend(ledger: UsageLedger, cost: number, token = "t"): Promise<void> {
  const end = await ledger.meter(() => ({ token, agent: "main" })).begin(model);
  await end(used(cost));
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "admitted",
    ({ code, message }: DragomanError) => `${code}: ${message}`,
  );

test("a call is a line of its month's file", async () => {
  const { ledger } = ledgerAt("2026-11-16T12:00:00Z");
  await spend(ledger, 0.25);
  expect(readFileSync(path("usage/2026-11.jsonl"), "utf8")).toBe(
    '{"at":1794830400000,"token":"t","agent":"main","model":"acme/m","calls":1,"input":10,"output":5,"cacheRead":3,"cacheWrite":2,"reasoning":4,"cost":0.25,"unpriced":0}\n',
  );
});

test("a call without an answer leaves no record, and its place is free again", async () => {
  const { ledger } = ledgerAt("2026-11-16T12:00:00Z", { dollars: 1, per: "day" });
  await spend(ledger, 0.6);
  const end = await ledger.meter(() => ({ token: "t" })).begin(model);
  expect(await refusal(ledger.require("t", model))).toContain("budget/spent: the remaining $0.4");
  end(undefined);
  expect(await refusal(ledger.require("t", model))).toBe("admitted");
  expect(readFileSync(path("usage/2026-11.jsonl"), "utf8").split("\n")).toHaveLength(2);
});

test("a spent budget refuses calls until midnight UTC", async () => {
  const { ledger, clock } = ledgerAt("2026-11-16T23:59:59.999Z", { dollars: 0.3, per: "day" });
  for (const cost of [0.1, 0.1, 0.1]) await spend(ledger, cost);
  expect(await refusal(ledger.require("t", model))).toBe(
    "budget/spent: the token's budget of $0.3/day is spent: $0.3 used",
  );
  expect(await refusal(ledger.require("another", model))).toBe("admitted");
  clock.now += 1;
  expect(await refusal(ledger.require("t", model))).toBe("admitted");
  expect(await ledger.status("t")).toEqual({
    dollars: 0.3,
    per: "day",
    spent: 0,
    remaining: 0.3,
    resets: Date.parse("2026-11-18T00:00:00Z"),
  });
});

test("a month's budget counts all its days, and ends with it", async () => {
  const { ledger, clock } = ledgerAt("2026-11-02T00:00:00Z", { dollars: 1, per: "month" });
  await spend(ledger, 0.7);
  clock.now = Date.parse("2026-11-30T23:59:59Z");
  expect(await ledger.status("t")).toMatchObject({ spent: 0.7, remaining: 0.3 });
  await spend(ledger, 0.4);
  expect(await refusal(ledger.require("t", model))).toContain("budget/spent");
  expect(await ledger.status("t")).toMatchObject({
    remaining: 0,
    resets: Date.parse("2026-12-01T00:00:00Z"),
  });
  clock.now = Date.parse("2026-12-01T00:00:00Z");
  expect(await ledger.status("t")).toMatchObject({ spent: 0, remaining: 1 });
});

test("calls at the same time cannot all get the rest of a budget", async () => {
  const { ledger } = ledgerAt("2026-11-16T12:00:00Z", { dollars: 10, per: "day" });
  await spend(ledger, 3);
  const meter = ledger.meter(() => ({ token: "t" }));
  const begun = await Promise.allSettled(Array.from({ length: 20 }, () => meter.begin(model)));
  // $7 are left, and a call has cost up to $3.
  expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  for (const result of begun) if (result.status === "fulfilled") result.value(used(3));
  expect(await ledger.status("t")).toMatchObject({ spent: 12, remaining: 0 });
});

test("a model without a price is refused to a token with a budget, and only to it", async () => {
  const { ledger } = ledgerAt("2026-11-16T12:00:00Z", { dollars: 10, per: "day" });
  const free = { ...model, card };
  expect(await refusal(ledger.require("t", free))).toBe(
    "budget/no-price: the price of acme/m is unknown, and a token with a budget can use only models with a known price",
  );
  expect(await refusal(ledger.require("another", free))).toBe("admitted");
});

test("processes on one home share a budget", async () => {
  const budget = { dollars: 1, per: "day" } as const;
  const one = ledgerAt("2026-11-16T12:00:00Z", budget).ledger;
  const other = ledgerAt("2026-11-16T12:00:00Z", budget).ledger;
  await spend(one, 0.5);
  expect(await other.status("t")).toMatchObject({ spent: 0.5 });
  await spend(other, 0.5);
  expect(await refusal(one.require("t", model))).toContain("budget/spent");
});

test("a line that was cut off is reported, and the next one is whole", async () => {
  mkdirSync(path("usage"));
  writeFileSync(path("usage/2026-11.jsonl"), '{"at":1794830400000,"tok');
  const { ledger, notes } = ledgerAt("2026-11-16T12:00:00Z", { dollars: 1, per: "day" });
  await spend(ledger, 0.5);
  expect(await ledger.status("t")).toMatchObject({ spent: 0.5 });
  expect(notes).toEqual([`${path("usage/2026-11.jsonl")}: line 1 is not a usage record; it is skipped`]);
});

test("a record that cannot be written counts, and is written later", async () => {
  writeFileSync(path("usage"), "not a folder");
  const { ledger, notes } = ledgerAt("2026-11-16T12:00:00Z");
  await spend(ledger, 0.5);
  expect(notes).toEqual([
    expect.stringMatching(/^the usage of 1 call\(s\) is counted but not stored: cannot write /),
  ]);
  rmSync(path("usage"));
  await spend(ledger, 0.25);
  const costs: number[] = [];
  await ledger.read({}, ({ cost }) => costs.push(cost));
  expect(costs).toEqual([0.5, 0.25]);
});

test("a file that was deleted is written anew", async () => {
  const { ledger } = ledgerAt("2026-11-16T12:00:00Z", { dollars: 1, per: "day" });
  await spend(ledger, 0.5);
  expect(await ledger.status("t")).toMatchObject({ spent: 0.5 });
  rmSync(path("usage/2026-11.jsonl"));
  await spend(ledger, 0.25);
  expect(await ledger.status("t")).toMatchObject({ spent: 0.25 });
  expect(JSON.parse(readFileSync(path("usage/2026-11.jsonl"), "utf8"))).toMatchObject({ cost: 0.25 });
});

test("a period includes its first moment and not its last", async () => {
  const { ledger, clock } = ledgerAt("2026-10-31T23:59:59Z");
  for (const [index, iso] of [
    "2026-10-31T23:59:59Z",
    "2026-11-01T00:00:00Z",
    "2026-11-02T00:00:00Z",
  ].entries()) {
    clock.now = Date.parse(iso);
    await spend(ledger, index + 1);
  }
  appendFileSync(path("usage/notes.txt"), "not a usage file");
  const found: UsageRecord[] = [];
  const period = { since: Date.parse("2026-11-01T00:00:00Z"), until: Date.parse("2026-11-02T00:00:00Z") };
  await ledger.read(period, (record) => found.push(record));
  expect(found.map(({ cost }) => cost)).toEqual([2]);
});
