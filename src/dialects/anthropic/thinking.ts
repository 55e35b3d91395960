import { isObject, type JsonObject } from "../../core/json/value.js";
import type { CallOptions, Thinking } from "../../core/provider.js";
import type { Loss } from "../../core/types.js";
import { forcesTool } from "./tools.js";
import { hasExactly, type ThinkingConfig } from "./wire.js";

/** The API requires a limit. */
export const DEFAULT_MAX_TOKENS = 4096;

const SMALLEST_BUDGET = 1024;

/** How many tokens a level of thinking may take. */
const BUDGETS = { minimal: 1024, low: 2048, medium: 8192, high: 16_384 } as const;

export type Limits = { max_tokens: number; temperature?: number; thinking?: ThinkingConfig };

/**
 * How long to think and to answer. What is thought counts as answered, so a level's budget comes on top of the limit;
 * a budget in tokens is taken to be part of it, as the API has it. The API refuses to think at another temperature
 * than its own, or when a tool is forced.
 */
export function writeLimits(options: CallOptions, report: (loss: Loss) => void): Limits {
  const { maxTokens = DEFAULT_MAX_TOKENS, temperature, thinking = "off", toolChoice } = options;
  const warm = temperature === undefined ? {} : { temperature };
  if (thinking === "off") return { max_tokens: maxTokens, ...warm };
  if (forcesTool(toolChoice)) {
    report(refused("/options/thinking", "thinking", "a call that forces a tool"));
    return { max_tokens: maxTokens, ...warm };
  }
  if (temperature !== undefined) report(refused("/options/temperature", "the temperature", "thinking"));
  const budget = budgetOf(thinking, report);
  const fits = typeof thinking === "object" && maxTokens > budget;
  return {
    max_tokens: fits ? maxTokens : budget + maxTokens,
    thinking: { type: "enabled", budget_tokens: budget },
  };
}

function budgetOf(thinking: Exclude<Thinking, "off">, report: (loss: Loss) => void): number {
  if (typeof thinking === "string") return BUDGETS[thinking];
  if (thinking.budgetTokens >= SMALLEST_BUDGET) return thinking.budgetTokens;
  report({
    at: "/options/thinking",
    what: `a budget of ${thinking.budgetTokens} tokens`,
    why: `this API wants at least ${SMALLEST_BUDGET}`,
    severity: "approximated",
  });
  return SMALLEST_BUDGET;
}

/** A budget that `writeLimits` writes back as it is; everything else stays with the fields we have no name for. */
export function readThinking(body: JsonObject, choice: CallOptions["toolChoice"]): Thinking | undefined {
  const { thinking, max_tokens: maxTokens, temperature } = body;
  if (!isObject(thinking) || thinking["type"] !== "enabled") return undefined;
  const { budget_tokens: budgetTokens } = thinking;
  if (typeof budgetTokens !== "number" || budgetTokens < SMALLEST_BUDGET) return undefined;
  if (!hasExactly(thinking, "type", "budget_tokens") || temperature !== undefined) return undefined;
  if (typeof maxTokens !== "number" || maxTokens <= budgetTokens) return undefined;
  return forcesTool(choice) ? undefined : { budgetTokens };
}

function refused(at: string, what: string, beside: string): Loss {
  return { at, what, why: `this API does not take it beside ${beside}`, severity: "dropped" };
}
