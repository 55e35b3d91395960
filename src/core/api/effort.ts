import type { ThinkingLevel } from "./provider.js";

/** In ascending order. */
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

/** The API's lowest level that is at least as strong, or else its strongest. */
export function closestLevel<L extends ThinkingLevel>(level: ThinkingLevel, levels: readonly [L, ...L[]]): L {
  const requested = LEVELS.indexOf(level);
  const stronger = levels.find((one) => LEVELS.indexOf(one) >= requested);
  return stronger ?? levels[levels.length - 1] ?? levels[0];
}
