import type { Drift } from "../dialect.js";
import { isObject, type JsonObject } from "../json/value.js";
import { driftsOf } from "../records/drift.js";
import type { Contract } from "./message-contract.js";

const TOKENS = ["input", "output", "cacheRead", "cacheWrite"];

/** The tolerated difference between a cost and the sum of its parts: writers add in floating point. */
const ROUNDING = 1e-6;

/** Where an answer's usage is incomplete or contradicts itself. */
export function* usageDrift({ usage, ext }: JsonObject, at: string, contract: Contract): Generator<Drift> {
  if (!isObject(usage)) return;
  const { cost } = usage;
  const missing = [
    ...absent(usage, [...TOKENS, "totalTokens", "cost"], ""),
    ...(isObject(cost) ? absent(cost, [...TOKENS, "total"], "cost.") : []),
  ].filter((field) => contract.optionalUsage?.includes(field) !== true);
  const { warning } = driftsOf(contract.name);
  if (missing.length > 0) {
    const hint = "add the missing fields; readers assume 0";
    yield warning(`${at}/usage`, "missing-field", `the usage has no ${missing.join(", ")}`, hint);
  }
  const drift = (field: string, message: string, hint: string) =>
    warning(`${at}/usage/${field}`, "usage", message, hint);
  for (const field of [...TOKENS, "totalTokens"]) {
    const count = usage[field];
    if (typeof count !== "number" || (Number.isInteger(count) && count >= 0)) continue;
    yield drift(field, `${field} is ${count}`, "write the number of tokens, a whole number from 0");
  }
  yield* totalDrift(usage, drift);
  if (isObject(cost) && !isEstimate(cost, ext)) yield* costDrift(cost, drift);
}

type Make = (field: string, message: string, hint: string) => Drift;

/** The specification counts input and output; real writers count cached tokens too. Both are accepted. */
function* totalDrift(usage: JsonObject, drift: Make): Generator<Drift> {
  const { totalTokens } = usage;
  const counts = TOKENS.map((field) => usage[field] ?? 0);
  if (typeof totalTokens !== "number" || !counts.every((count) => typeof count === "number")) return;
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = counts;
  const all = input + output + cacheRead + cacheWrite;
  if (totalTokens === input + output || totalTokens === all) return;
  const areCounts = counts.every((count) => Number.isInteger(count) && count >= 0);
  yield drift(
    "totalTokens",
    `totalTokens is ${totalTokens}, but the counts add up to ${all}`,
    areCounts ? `write ${all}` : "correct the counts first; each is a whole number from 0",
  );
}

function* costDrift(cost: JsonObject, drift: Make): Generator<Drift> {
  const parts = TOKENS.map((field) => cost[field]);
  for (const field of [...TOKENS, "total"]) {
    const dollars = cost[field];
    if (typeof dollars !== "number" || dollars >= 0) continue;
    yield drift(`cost/${field}`, `the cost ${field} is ${dollars}`, "write dollars, from 0");
  }
  const { total } = cost;
  if (typeof total !== "number" || !parts.every((part) => typeof part === "number")) return;
  const sum = parts.reduce((sofar, part) => sofar + part, 0);
  if (sum === 0 || Math.abs(total - sum) <= ROUNDING * Math.max(Math.abs(total), sum)) return;
  yield drift(
    "cost/total",
    `the total cost is ${total}, but its parts add up to ${sum}`,
    parts.some((part) => part < 0) ? "correct the parts first; each is in dollars, from 0" : `write ${sum}`,
  );
}

/** A bill may have only the total, and a price may be unknown; then the parts need not add up. */
function isEstimate(cost: JsonObject, ext: unknown): boolean {
  if (cost["totalFromProvider"] !== undefined) return true;
  const listed = isObject(ext) && Array.isArray(ext["synthesised"]) ? ext["synthesised"] : [];
  return listed.some((pointer) => typeof pointer === "string" && pointer.startsWith("/usage"));
}

function absent(object: JsonObject, fields: readonly string[], prefix: string): string[] {
  return fields.filter((field) => object[field] === undefined).map((field) => prefix + field);
}
