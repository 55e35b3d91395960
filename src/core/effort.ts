/** The effort that stands for a thinking budget, for models that are told how hard to think and not how long. */
export function effortOf(budgetTokens: number): "low" | "medium" | "high" {
  return budgetTokens <= 2048 ? "low" : budgetTokens <= 8192 ? "medium" : "high";
}
