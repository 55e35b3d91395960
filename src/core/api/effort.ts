import type { Thinking } from "./provider.js";

const LEVELS = ["minimal", "low", "medium", "high"] as const;

/** The effort closest to a thinking budget, for models that accept an effort instead of a token budget. */
export function effortOf(budgetTokens: number): "low" | "medium" | "high" {
  return budgetTokens <= 2048 ? "low" : budgetTokens <= 8192 ? "medium" : "high";
}

/** The thinking level for `reasoning_effort` and similar fields; undefined for unknown values. */
export function readEffort(effort: unknown): Thinking | undefined {
  return effort === "none" ? "off" : LEVELS.find((level) => level === effort);
}
