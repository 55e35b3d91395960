import type { Thinking } from "./provider.js";

const LEVELS = ["minimal", "low", "medium", "high"] as const;

/** The effort that stands for a thinking budget, for models that are told how hard to think and not how long. */
export function effortOf(budgetTokens: number): "low" | "medium" | "high" {
  return budgetTokens <= 2048 ? "low" : budgetTokens <= 8192 ? "medium" : "high";
}

/** The thinking that `reasoning_effort` and its like ask for; undefined for another word. */
export function readEffort(effort: unknown): Thinking | undefined {
  return effort === "none" ? "off" : LEVELS.find((level) => level === effort);
}
