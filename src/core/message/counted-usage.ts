import { isNumber, isObject } from "../json/value.js";
import type { Usage } from "../types.js";
import { emptyUsage } from "./usage.js";

/** The fields in which a program counts tokens. Counts of one kind are added. */
export interface CountFields {
  /** Tokens of the prompt, which include those read from the cache. */
  prompt: readonly string[];
  cached: string;
  output: readonly string[];
  total: string;
}

/**
 * The usage that an object with counts states, without its cost; undefined for anything but an object. Without a total, it is
 * the sum.
 *
 * @example
 * countedUsage({ in: 10, cached: 4, out: 2 }, { prompt: ["in"], cached: "cached", output: ["out"], total: "total" });
 */
export function countedUsage(counts: unknown, fields: CountFields): Usage | undefined {
  if (!isObject(counts)) return undefined;
  const countOf = (name: string) => {
    const { [name]: count } = counts;
    return isNumber(count) ? count : 0;
  };
  const sumOf = (names: readonly string[]) => names.reduce((sum, name) => sum + countOf(name), 0);
  const cacheRead = countOf(fields.cached);
  const input = Math.max(0, sumOf(fields.prompt) - cacheRead);
  const output = sumOf(fields.output);
  const { [fields.total]: total } = counts;
  const totalTokens = isNumber(total) ? total : input + output + cacheRead;
  return { ...emptyUsage(), input, output, cacheRead, totalTokens };
}
