import { isObject } from "../../core/json/value.js";

/** The token of calls that did not come through a gateway or a channel. */
export const LOCAL = "local";

/** What calls used. Token counts and cost are what the provider reported. */
export interface UsageCounts {
  calls: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** How many of the output tokens were reasoning. */
  reasoning: number;
  /** Dollars. */
  cost: number;
  /** How many of the calls have an unknown cost, or one that is known only in part. */
  unpriced: number;
}

/** What one call used, and who made it: a line of the usage files. */
export interface UsageRecord extends UsageCounts {
  /** When the call ended, in Unix milliseconds. */
  at: number;
  /** A token's id, a channel account such as `telegram/default`, or `local`. */
  token: string;
  /** Empty if a client called the model directly. */
  agent: string;
  /** `provider/model` */
  model: string;
}

const COUNTS = [
  "calls",
  "input",
  "output",
  "cacheRead",
  "cacheWrite",
  "reasoning",
  "cost",
  "unpriced",
] as const satisfies readonly (keyof UsageCounts)[];

export function emptyCounts(): UsageCounts {
  return { calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, cost: 0, unpriced: 0 };
}

/** Adds to `sum`. Dollars are added as whole picodollars, so that sums do not drift. */
export function addCounts(sum: UsageCounts, added: UsageCounts): void {
  const cost = addDollars(sum.cost, added.cost);
  for (const name of COUNTS) sum[name] += added[name];
  sum.cost = cost;
}

const PICO = 1e12;

export function addDollars(one: number, other: number): number {
  return (Math.round(one * PICO) + Math.round(other * PICO)) / PICO;
}

/** The record in a line's JSON; undefined if it is not one. */
export function readRecord(value: unknown): UsageRecord | undefined {
  return isRecord(value) ? value : undefined;
}

function isRecord(value: unknown): value is UsageRecord {
  if (!isObject(value)) return false;
  const { at, token, agent, model } = value;
  return (
    typeof at === "number" &&
    [token, agent, model].every((text) => typeof text === "string") &&
    COUNTS.every((name) => typeof value[name] === "number")
  );
}

const DAY_MS = 86_400_000;
/** The latest day that was written: writing one takes longer than finding the file of a record. */
let latest = { number: 0, text: "1970-01-01" };

/** `2026-11-16`, UTC. */
export function dayOf(time: number): string {
  const number = Math.floor(time / DAY_MS);
  if (number !== latest.number) latest = { number, text: new Date(time).toISOString().slice(0, 10) };
  return latest.text;
}

/** `2026-11`, UTC. */
export function monthOf(time: number): string {
  return dayOf(time).slice(0, 7);
}
