import { generationOf } from "../../core/api/claude-generation.js";
import { effortOf } from "../../core/api/effort.js";
import type { Call, CallOptions, Flags, Thinking } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import { longestAnswer } from "./answer-limit.js";
import { forcesTool } from "./tools.js";
import { hasExactly, type Limits } from "./wire.js";

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
  return (generationOf(model) ?? 0) >= 4.07;
}

/**
 * How long to think and to answer. What is thought counts as answered, so a level's budget comes on top of a limit that
 * was given; a budget in tokens is taken to be part of it, as the API has it. Both together never exceed what the model
 * can answer. The API refuses to think at another temperature than its own, or when a tool is forced.
 */
export function writeLimits(call: Call, flags: Flags, report: Report): Limits {
  const { model, options } = call;
  const { temperature, thinking = "off", toolChoice } = options;
  const adaptive = isAdaptive(model, flags);
  const forced = forcesTool(toolChoice);
  const thinks = thinking !== "off" && !forced;
  if (thinking !== "off" && forced) report(refused("thinking", "together with a forced tool choice"));
  if (temperature !== undefined && adaptive) report(refused("temperature", "for this model"));
  else if (temperature !== undefined && thinks) report(refused("temperature", "beside thinking"));
  if (!thinks) {
    const max_tokens = capped(options.maxTokens ?? longestAnswer(call), call, report);
    return { max_tokens, ...(temperature === undefined || adaptive ? {} : { temperature }) };
  }
  const asked = typeof thinking === "string" ? BUDGETS[thinking] : thinking.budgetTokens;
  const budget = adaptive ? asked : atLeast(asked, report);
  const max_tokens = capped(withThinking(call, budget), call, report);
  return adaptive
    ? { max_tokens, thinking: { type: "adaptive" }, output_config: { effort: writeEffort(thinking, report) } }
    : { max_tokens, thinking: { type: "enabled", budget_tokens: below(max_tokens, budget, report) } };
}

/** The limit of thinking and answer together. */
function withThinking(call: Call, budget: number): number {
  const { thinking, maxTokens } = call.options;
  const limit = maxTokens ?? longestAnswer(call);
  const isWithin = maxTokens === undefined || typeof thinking === "object";
  return isWithin && limit > budget ? limit : budget + limit;
}

/** The API refuses a limit above what the model can answer. */
function capped(limit: number, { limits, options }: Call, report: Report): number {
  const longest = limits?.maxOutput ?? Number.POSITIVE_INFINITY;
  if (limit <= longest) return limit;
  const why = `the model answers with at most ${longest} tokens, thinking included`;
  const what = `a limit of ${options.maxTokens ?? limit} tokens`;
  report({ at: "/options/maxTokens", what, why, severity: "approximated" });
  return longest;
}

/** A budget that leaves room for an answer. */
function below(limit: number, budget: number, report: Report): number {
  if (budget < limit) return budget;
  const half = Math.max(SMALLEST_BUDGET, Math.floor(limit / 2));
  const why = `thinking and the answer share ${limit} tokens; ${half} are for thinking`;
  report({ at: "/options/thinking", what: budgetText(budget), why, severity: "approximated" });
  return half;
}

function writeEffort(thinking: Exclude<Thinking, "off">, report: Report): "low" | "medium" | "high" {
  if (typeof thinking === "string") return thinking === "minimal" ? "low" : thinking;
  const { budgetTokens } = thinking;
  const effort = effortOf(budgetTokens);
  const why = `this model accepts no budget; the effort "${effort}" is sent`;
  report({ at: "/options/thinking", what: budgetText(budgetTokens), why, severity: "approximated" });
  return effort;
}

function atLeast(budget: number, report: Report): number {
  if (budget >= SMALLEST_BUDGET) return budget;
  const why = `this API requires at least ${SMALLEST_BUDGET}`;
  report({ at: "/options/thinking", what: budgetText(budget), why, severity: "approximated" });
  return SMALLEST_BUDGET;
}

function budgetText(tokens: number): string {
  return `a budget of ${tokens} tokens`;
}

function refused(option: "thinking" | "temperature", when: string): Loss {
  const why = `this API does not accept it ${when}`;
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
