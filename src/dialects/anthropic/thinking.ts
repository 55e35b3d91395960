import {
  budgetText,
  CLAUDE_EFFORTS,
  forcesTool,
  isAdaptive,
  readClaudeThinking,
  SMALLEST_BUDGET,
  thinkingTokens,
  writeBudget,
  writeEffort,
} from "../../core/api/claude-thinking.js";
import { type Fields, optionLoss, type Writing } from "../../core/api/option-table.js";
import type { Call, Thinking } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import { longestAnswer } from "./answer-limit.js";

type Report = (loss: Loss) => void;

/** Whether the request asks the model to think. The API refuses that together with a forced tool. */
export function thinks({ call }: Pick<Writing, "call">): boolean {
  const { thinking = "off", toolChoice } = call.options;
  return thinking !== "off" && !forcesTool(toolChoice);
}

/**
 * The limit on thinking and answer together, as the API counts them. The budget of a thinking level is added to a given
 * limit; a budget in tokens is part of it, as in the API. The sum never exceeds the model's maximum.
 */
export function writeLimit({ call, flags, report }: Writing): number {
  const { thinking, maxTokens } = call.options;
  if (!thinks({ call })) return capLimit(maxTokens ?? longestAnswer(call), call, report);
  const requested = thinkingTokens(thinking);
  const budget = isAdaptive(call.model, flags) ? requested : Math.max(SMALLEST_BUDGET, requested);
  return capLimit(addBudget(call, budget), call, report);
}

export function writeThinking(thinking: Thinking, writing: Writing): Fields {
  const { call, flags, report } = writing;
  if (thinking === "off") return {};
  if (!thinks({ call })) {
    report(optionLoss("thinking", "this API does not accept it together with a forced tool choice"));
    return {};
  }
  if (isAdaptive(call.model, flags)) {
    return {
      "/thinking": { type: "adaptive" },
      "/output_config/effort": writeEffort(thinking, CLAUDE_EFFORTS, report),
    };
  }
  const budget = writeBudget(thinking, report);
  const limit = writeLimit({ ...writing, report: () => undefined });
  return { "/thinking": { type: "enabled", budget_tokens: fitBudget(limit, budget, report) } };
}

function addBudget(call: Call, budget: number): number {
  const { thinking, maxTokens } = call.options;
  const limit = maxTokens ?? longestAnswer(call);
  const isWithin = maxTokens === undefined || typeof thinking === "object";
  return isWithin && limit > budget ? limit : budget + limit;
}

/** The API refuses a limit above the model's maximum. */
function capLimit(limit: number, { limits, options }: Call, report: Report): number {
  const longest = limits?.maxOutput ?? Number.POSITIVE_INFINITY;
  if (limit <= longest) return limit;
  const why = `the model answers with at most ${longest} tokens, thinking included`;
  report(optionLoss("maxTokens", why, "approximated", `a limit of ${options.maxTokens ?? limit} tokens`));
  return longest;
}

/** A budget that leaves room for the answer. */
function fitBudget(limit: number, budget: number, report: Report): number {
  if (budget < limit) return budget;
  const half = Math.max(SMALLEST_BUDGET, Math.floor(limit / 2));
  const why = `thinking and the answer share ${limit} tokens; ${half} are for thinking`;
  report(optionLoss("thinking", why, "approximated", budgetText(budget)));
  return half;
}

export function readThinking({ thinking, output_config: config }: JsonObject): Thinking | undefined {
  if (!isObject(thinking)) return undefined;
  const effort = isObject(config) ? config["effort"] : undefined;
  return readClaudeThinking(thinking["type"], thinking["budget_tokens"], effort);
}
