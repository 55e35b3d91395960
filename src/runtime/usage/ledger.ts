import type { LineReader } from "../../log/store.js";
import type { EndCall, Meter, MeteredModel } from "../../providers/meter.js";
import {
  type Budget,
  type BudgetStatus,
  budgetReserved,
  budgetSpent,
  priceUnknown,
  resetOf,
} from "./budget.js";
import { addDollars, dayOf, LOCAL, monthOf, type UsageRecord } from "./record.js";
import { linesOfMonth, type Period, readUsage, type UsageLines, usageReader } from "./usage-lines.js";
import { UsageWriter } from "./usage-writer.js";

/** Who makes a call: a token or channel account, and the agent that runs. */
export interface Account {
  token: string;
  agent?: string | undefined;
  /** The token's budget, if it was just read; null for none (default: it is looked up). */
  budget?: Budget | null | undefined;
}

/** The budget of a token; undefined if it has none. */
export type BudgetOf = (token: string) => Promise<Budget | undefined>;

export interface UsageLedgerOptions {
  /** The store in which the records are. */
  store: UsageLines;
  now(): number;
  /** Called with messages for the operator. */
  onNote(text: string): void;
}

/** What one token spent on one day, and its most expensive call. */
interface Spending {
  cost: number;
  largest: number;
}

/** The month that budgets are checked in. */
interface OpenMonth {
  name: string;
  reader: LineReader;
  /** By token, then by day. */
  spending: Map<string, Map<string, Spending>>;
}

/**
 * Records what every call of a model uses, and refuses calls of tokens whose budget is spent. Processes that share a store
 * share the records, so a budget holds for all of them together.
 *
 * A budget can be exceeded by calls that are in progress when it runs out, because a call's cost is known only at its end.
 * Each call in progress therefore counts as much as the token's most expensive call so far.
 */
export class UsageLedger {
  readonly #options: UsageLedgerOptions;
  readonly #writer: UsageWriter;
  readonly #listeners = new Set<(record: UsageRecord) => void>();
  /** Calls in progress in this process, by token. */
  readonly #running = new Map<string, number>();
  #budgetOf: BudgetOf = async () => undefined;
  #month: OpenMonth | undefined;

  constructor(options: UsageLedgerOptions) {
    this.#options = options;
    this.#writer = new UsageWriter(options.store, options.onNote);
  }

  /** From now on, tokens have these budgets. */
  setBudgets(budgetOf: BudgetOf): void {
    this.#budgetOf = budgetOf;
  }

  /** Calls back with every record of this process. Returns a function that unsubscribes. */
  watch(listener: (record: UsageRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A meter for the calls of an account, which is determined at the start of each call. */
  meter(account: () => Account): Meter {
    return { begin: (model) => this.#begin(account(), model) };
  }

  /** Throws if a call would be refused now: `budget/spent` or `budget/no-price`. */
  async require(token: string, model: MeteredModel): Promise<void> {
    await this.#loadAndRun({ token }, (budget) => this.#check(token, budget, model));
  }

  /** A token's budget and what is left of it; undefined if it has none. */
  async status(token: string): Promise<BudgetStatus | undefined> {
    return this.#loadAndRun({ token }, (budget) => this.#statusOf(token, budget).status);
  }

  /** Applies all stored records of a period. */
  read(period: Period, apply: (record: UsageRecord) => void): Promise<void> {
    const { store, onNote } = this.#options;
    return readUsage(store, period, { apply, onNote });
  }

  /** Fulfilled when the records are stored, or cannot be. */
  close(): Promise<void> {
    return this.#writer.close();
  }

  async #begin(account: Account, model: MeteredModel): Promise<EndCall> {
    const { token } = account;
    const isCounted = await this.#loadAndRun(account, (budget) => {
      this.#check(token, budget, model);
      // In the same tick as the check, so that two calls cannot both get the rest of a budget.
      this.#running.set(token, this.#runningOf(token) + 1);
      return true;
    });
    return (used) => {
      if (isCounted === true) this.#endRunning(token);
      if (used === undefined) return undefined;
      const { usage, reasoning, isPriced } = used;
      const { input, output, cacheRead, cacheWrite, cost } = usage;
      return this.#record({
        at: this.#options.now(),
        token,
        agent: account.agent ?? "",
        model: `${model.provider}/${model.id}`,
        calls: 1,
        input,
        output,
        cacheRead,
        cacheWrite,
        reasoning,
        cost: cost.total,
        unpriced: isPriced ? 0 : 1,
      });
    };
  }

  #record(record: UsageRecord): Promise<void> {
    const recording = this.#writer.append(record);
    for (const listener of this.#listeners) listener(record);
    return recording;
  }

  #endRunning(token: string): void {
    const left = this.#runningOf(token) - 1;
    if (left > 0) this.#running.set(token, left);
    else this.#running.delete(token);
  }

  #runningOf(token: string): number {
    return this.#running.get(token) ?? 0;
  }

  /** Runs a check with all that is spent; not at all for a token without a budget. */
  async #loadAndRun<T>(
    { token, budget: known = token === LOCAL ? null : undefined }: Account,
    work: (budget: Budget) => T,
  ): Promise<T | undefined> {
    const budget = known === undefined ? await this.#budgetOf(token) : (known ?? undefined);
    if (budget === undefined) return undefined;
    // A call that ends during the read is no longer in progress, so its record has to be read too.
    for (let appended = -1; appended !== this.#writer.appended; ) {
      appended = this.#writer.appended;
      await this.#writer.whenIdle();
      await this.#currentMonth().reader.readNew();
    }
    return work(budget);
  }

  #check(token: string, budget: Budget, model: MeteredModel): void {
    if (model.card.prices === undefined) throw priceUnknown(`${model.provider}/${model.id}`);
    const { status, largest } = this.#statusOf(token, budget);
    if (status.remaining <= 0) throw budgetSpent(status);
    const running = this.#runningOf(token);
    if (running > 0 && running * largest >= status.remaining) throw budgetReserved(status, running);
  }

  #statusOf(token: string, { dollars, per }: Budget): { status: BudgetStatus; largest: number } {
    const now = this.#options.now();
    const { name, spending } = this.#currentMonth();
    const unwritten = new Map<string, Spending>();
    for (const record of this.#writer.unwritten) {
      if (record.token === token && monthOf(record.at) === name) addSpending(unwritten, record);
    }
    let spent = 0;
    let largest = 0;
    for (const days of [spending.get(token), unwritten]) {
      for (const [day, { cost, largest: most }] of days ?? []) {
        if (per === "month" || day === dayOf(now)) spent = addDollars(spent, cost);
        largest = Math.max(largest, most);
      }
    }
    const remaining = Math.max(0, addDollars(dollars, -spent));
    return { status: { dollars, per, spent, remaining, resets: resetOf(now, per) }, largest };
  }

  #currentMonth(): OpenMonth {
    const name = monthOf(this.#options.now());
    if (this.#month?.name === name) return this.#month;
    const { store, onNote } = this.#options;
    const spending: OpenMonth["spending"] = new Map();
    const reader = usageReader(linesOfMonth(store, name), {
      apply(record) {
        const days = spending.get(record.token) ?? new Map<string, Spending>();
        spending.set(record.token, days);
        addSpending(days, record);
      },
      reset: () => spending.clear(),
      onNote,
    });
    this.#month = { name, reader, spending };
    return this.#month;
  }
}

function addSpending(days: Map<string, Spending>, { at, cost, calls }: UsageRecord): void {
  const day = dayOf(at);
  const { cost: before, largest } = days.get(day) ?? { cost: 0, largest: 0 };
  days.set(day, { cost: addDollars(before, cost), largest: Math.max(largest, cost / Math.max(1, calls)) });
}
