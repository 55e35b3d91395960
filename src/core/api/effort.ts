import type { ThinkingLevel } from "./provider.js";

/** From the least to the most. */
export const LEVELS = ["minimal", "low", "medium", "high", "xhigh", "max"] as const satisfies ThinkingLevel[];

/** The effort closest to a thinking budget, for models that accept an effort instead of a token budget. */
export function effortOf(budgetTokens: number): "low" | "medium" | "high" {
  return budgetTokens <= 2048 ? "low" : budgetTokens <= 8192 ? "medium" : "high";
}

/** The thinking level for `reasoning_effort` and similar fields, in any case; undefined for unknown values. */
export function readEffort(effort: unknown): "off" | ThinkingLevel | undefined {
  if (typeof effort !== "string") return undefined;
  const name = effort.toLowerCase();
  return name === "none" ? "off" : LEVELS.find((level) => level === name);
}

/** The closest of the levels that an API has, the stronger of two. */
export function closestLevel<L extends ThinkingLevel>(level: ThinkingLevel, levels: readonly [L, ...L[]]): L {
  const asked = LEVELS.indexOf(level);
  const stronger = levels.find((one) => LEVELS.indexOf(one) >= asked);
  return stronger ?? levels[levels.length - 1] ?? levels[0];
}
