import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Call, CallOptions, Flags, Thinking } from "../../core/provider.js";
import type { Loss } from "../../core/types.js";
import { forcesTool } from "./tools.js";
import { hasExactly, type Limits } from "./wire.js";

/** The API requires a limit. */
const DEFAULT_MAX_TOKENS = 4096;
const SMALLEST_BUDGET = 1024;

/** How many tokens a level of thinking may take. */
const BUDGETS = { minimal: 1024, low: 2048, medium: 8192, high: 16_384 } as const;

type Report = (loss: Loss) => void;

/**
 * Whether a model thinks as much as it wants, told only how hard to try, and takes neither a budget nor a temperature:
 * Claude from 4.7 on. Others with this API want a budget.
 */
export function isAdaptive(model: string, { adaptiveThinking }: Flags = {}): boolean {
  if (adaptiveThinking !== undefined) return adaptiveThinking;
  const [, major = "0", minor = "0"] = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? [];
  return Number(major) > 4 || (Number(major) === 4 && Number(minor) >= 7);
}

/**
 * How long to think and to answer. What is thought counts as answered, so a level's budget comes on top of the limit;
 * a budget in tokens is taken to be part of it, as the API has it. The API refuses to think at another temperature
 * than its own, or when a tool is forced.
 */
export function writeLimits({ model, options }: Call, flags: Flags, report: Report): Limits {
  const { maxTokens = DEFAULT_MAX_TOKENS, temperature, thinking = "off", toolChoice } = options;
  const adaptive = isAdaptive(model, flags);
  const forced = forcesTool(toolChoice);
  const thinks = thinking !== "off" && !forced;
  if (thinking !== "off" && forced) report(refused("thinking", "beside a choice that forces a tool"));
  if (temperature !== undefined && adaptive) report(refused("temperature", "for this model"));
  else if (temperature !== undefined && thinks) report(refused("temperature", "beside thinking"));
  if (!thinks) {
    return { max_tokens: maxTokens, ...(temperature === undefined || adaptive ? {} : { temperature }) };
  }
  const asked = typeof thinking === "string" ? BUDGETS[thinking] : thinking.budgetTokens;
  const budget = adaptive ? asked : atLeast(asked, report);
  const fits = typeof thinking === "object" && maxTokens > budget;
  const max_tokens = fits ? maxTokens : budget + maxTokens;
  return adaptive
    ? { max_tokens, thinking: { type: "adaptive" }, output_config: { effort: effortOf(thinking, report) } }
    : { max_tokens, thinking: { type: "enabled", budget_tokens: budget } };
}

function effortOf(thinking: Exclude<Thinking, "off">, report: Report): "low" | "medium" | "high" {
  if (typeof thinking === "string") return thinking === "minimal" ? "low" : thinking;
  const { budgetTokens } = thinking;
  const effort = budgetTokens <= BUDGETS.low ? "low" : budgetTokens <= BUDGETS.medium ? "medium" : "high";
  const why = `this model takes no budget; it is told to make a ${effort} effort`;
  report({ at: "/options/thinking", what: budgetText(budgetTokens), why, severity: "approximated" });
  return effort;
}

function atLeast(budget: number, report: Report): number {
  if (budget >= SMALLEST_BUDGET) return budget;
  const why = `this API wants at least ${SMALLEST_BUDGET}`;
  report({ at: "/options/thinking", what: budgetText(budget), why, severity: "approximated" });
  return SMALLEST_BUDGET;
}

function budgetText(tokens: number): string {
  return `a budget of ${tokens} tokens`;
}

function refused(option: "thinking" | "temperature", when: string): Loss {
  const why = `this API does not take it ${when}`;
  return { at: `/options/${option}`, what: option, why, severity: "dropped" };
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
