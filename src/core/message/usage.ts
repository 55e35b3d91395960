import type { AssistantMessage, Usage } from "../types.js";
import { isRefused } from "./failure.js";

/** Dollars per million tokens. */
export interface Prices {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** For tokens cached for an hour, if they have their own price. */
  cacheWrite1h?: number;
}

export interface Tokens extends Pick<Usage, "input" | "output" | "cacheRead" | "cacheWrite"> {
  /** How many of `cacheWrite` are cached for an hour. */
  cacheWrite1h?: number;
  /** How many of `output` are reasoning; they cost the same. */
  reasoning?: number;
}

const FIELDS = ["input", "output", "cacheRead", "cacheWrite"] as const;

/**
 * Dollars as whole picodollars. A price per million tokens has at most six decimals, so a cost has at most twelve:
 * in this unit sums are exact, where sums of dollars in floating point drift.
 */
function toPico(dollars: number): bigint {
  const whole = Math.trunc(dollars);
  return BigInt(whole) * 1_000_000_000_000n + BigInt(Math.round((dollars - whole) * 1e12));
}

/** Converts through text, because that rounds only once. */
function toDollars(pico: bigint): number {
  return Number(`${pico}e-12`);
}

export function emptyUsage(): Usage {
  return {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
}

/**
 * Tokens with their cost. `totalTokens` counts cached tokens too.
 *
 * @example
 * priced({ input: 1500, output: 200, cacheRead: 0, cacheWrite: 0 }, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 });
 */
export function priced(tokens: Tokens, prices: Prices): Usage {
  const usage = emptyUsage();
  let total = 0n;
  for (const field of FIELDS) {
    let pico = cost(tokens[field], prices[field]);
    if (field === "cacheWrite") pico += surcharge(tokens, prices);
    usage[field] = tokens[field];
    usage.totalTokens += tokens[field];
    usage.cost[field] = toDollars(pico);
    total += pico;
  }
  usage.cost.total = toDollars(total);
  return usage;
}

function cost(tokens: number, price: number): bigint {
  return BigInt(Math.round(tokens)) * BigInt(Math.round(price * 1e6));
}

/** The extra cost of caching for an hour, on top of the normal write price. */
function surcharge(
  { cacheWrite1h = 0 }: Tokens,
  { cacheWrite, cacheWrite1h: price = cacheWrite }: Prices,
): bigint {
  return cost(cacheWrite1h, price) - cost(cacheWrite1h, cacheWrite);
}

/** Sums usages exactly. Totals are summed as recorded, because they may come from a provider's bill. */
export function sumUsage(usages: Iterable<Usage>): Usage {
  const sum = emptyUsage();
  const pico = { input: 0n, output: 0n, cacheRead: 0n, cacheWrite: 0n, total: 0n };
  for (const usage of usages) {
    for (const field of FIELDS) {
      sum[field] += usage[field];
      pico[field] += toPico(usage.cost[field]);
    }
    sum.totalTokens += usage.totalTokens;
    pico.total += toPico(usage.cost.total);
  }
  for (const field of FIELDS) sum.cost[field] = toDollars(pico[field]);
  sum.cost.total = toDollars(pico.total);
  return sum;
}

/** Whether an answer may have cost more than its usage states. A refused request costs nothing. */
export function isPriceUnknown(message: AssistantMessage): boolean {
  return (message.ext?.synthesised ?? []).some((pointer) => PRICES.includes(pointer)) && !isRefused(message);
}

const PRICES = ["/usage", "/usage/cost", "/usage/cost/total"];

/** The unknown fields of a usage if the provider reported the input and the answer was cut off. */
const OUTPUT = ["/usage/output", "/usage/totalTokens", "/usage/cost/output", "/usage/cost/total"];

/**
 * Lists in `ext.synthesised` the unknown usage fields of an answer that was cut off: all of them if the provider had reported
 * nothing; otherwise the output and the totals, because the numbers so far are from the start of the answer.
 */
export function markCutUsage(message: AssistantMessage): void {
  const before = message.ext?.synthesised ?? [];
  const others = before.filter((pointer) => pointer !== "/usage" && !pointer.startsWith("/usage/"));
  const isReported = FIELDS.some((field) => message.usage[field] > 0) && !before.includes("/usage");
  const isListed = (pointer: string) =>
    before.some((listed) => pointer === listed || pointer.startsWith(`${listed}/`));
  const unknown = OUTPUT.filter((pointer) => !isListed(pointer));
  message.ext = { ...message.ext, synthesised: isReported ? [...before, ...unknown] : [...others, "/usage"] };
}
