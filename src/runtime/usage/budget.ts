import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";

/** The most that a token may spend in a day or a month, UTC. */
export interface Budget {
  dollars: number;
  per: "day" | "month";
}

/** A budget and what is left of it. */
export interface BudgetStatus extends Budget {
  spent: number;
  /** Never negative. */
  remaining: number;
  /** When the next day or month begins, in Unix milliseconds. */
  resets: number;
}

export function isBudget(value: unknown): value is Budget {
  if (!isObject(value)) return false;
  const { dollars, per } = value;
  return typeof dollars === "number" && dollars > 0 && (per === "day" || per === "month");
}

/** `5/day`, `2.50/month`; undefined for any other text. */
export function parseBudget(text: string): Budget | undefined {
  const [, amount = "", per] = /^\$?(\d{1,9}(?:\.\d{1,6})?)\/(day|month)$/.exec(text) ?? [];
  const dollars = Number(amount);
  if (dollars <= 0 || (per !== "day" && per !== "month")) return undefined;
  return { dollars, per };
}

/** `$5/day` */
export function budgetText({ dollars, per }: Budget): string {
  return `$${dollars}/${per}`;
}

/** When the day or month of a time ends, UTC. */
export function resetOf(time: number, per: Budget["per"]): number {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return per === "day" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
}

/** Created at its first use, because it loads the data of a locale. */
let plain: Intl.NumberFormat | undefined;

/** Without an exponent or trailing zeros: `0.0000012`. */
export function dollarText(dollars: number): string {
  plain ??= new Intl.NumberFormat("en-US", { maximumFractionDigits: 12, useGrouping: false });
  return plain.format(dollars);
}

export function budgetSpent(status: BudgetStatus): DragomanError {
  const { spent, resets } = status;
  const message = `the token's budget of ${budgetText(status)} is spent: $${dollarText(spent)} used`;
  return new DragomanError("budget/spent", message, {
    hint: `it resets at ${new Date(resets).toISOString()}; \`dragoman token set\` changes it`,
    details: { retryable: false },
  });
}

/** How long a client is asked to wait for the calls in progress. */
const RESERVED_WAIT_MS = 5_000;

export function budgetReserved(status: BudgetStatus, running: number): DragomanError {
  const calls = running === 1 ? "a call" : `${running} calls`;
  const rest = `$${dollarText(status.remaining)} of the token's budget of ${budgetText(status)}`;
  return new DragomanError("budget/spent", `the remaining ${rest} may be needed by ${calls} in progress`, {
    hint: "try again when they have ended",
    details: { retryable: true, retryAfterMs: RESERVED_WAIT_MS },
  });
}

export function priceUnknown(model: string): DragomanError {
  const message = `the price of ${model} is unknown, and a token with a budget can use only models with a known price`;
  return new DragomanError("budget/no-price", message, {
    hint: `set models[${JSON.stringify(model)}].prices in the configuration; 0 is a price`,
    details: { retryable: false },
  });
}
