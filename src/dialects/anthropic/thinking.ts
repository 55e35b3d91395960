import { generationOf } from "../../core/api/claude-generation.js";
import { closestLevel, effortOf, readEffort } from "../../core/api/effort.js";
import { type Fields, optionLoss, type Writing } from "../../core/api/option-table.js";
import type { Call, CallOptions, Flags, Thinking } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import { longestAnswer } from "./answer-limit.js";
import { forcesTool } from "./tools.js";

const SMALLEST_BUDGET = 1024;

/** How many tokens a level of thinking may take. */
const BUDGETS = { minimal: 1024, low: 2048, medium: 8192, high: 16_384, xhigh: 20_480, max: 24_576 } as const;

const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

type Report = (loss: Loss) => void;

/**
 * Whether a model thinks as much as it wants, told only how hard to try, and takes neither a budget nor a temperature:
 * Claude from 4.7 on. Others with this API want a budget.
 */
export function isAdaptive(model: string, { adaptiveThinking }: Flags = {}): boolean {
  if (adaptiveThinking !== undefined) return adaptiveThinking;
  return (generationOf(model) ?? 0) >= 4.07;
}

/** Whether the model is asked to think. The API refuses to think when a tool is forced. */
export function thinks({ options }: Pick<Call, "options">): boolean {
  const { thinking = "off", toolChoice } = options;
  return thinking !== "off" && !forcesTool(toolChoice);
}

/**
 * How many tokens to think and to answer with. What is thought counts as answered, so a level's budget comes on top of a
 * limit that was given; a budget in tokens is taken to be part of it, as the API has it. Both together never exceed what
 * the model can answer.
 */
export function writeLimit({ call, flags, report }: Writing): number {
  const { thinking } = call.options;
  if (!thinks(call)) return capped(call.options.maxTokens ?? longestAnswer(call), call, report);
  return capped(withThinking(call, budgetOf(thinking, isAdaptive(call.model, flags))), call, report);
}

export function writeThinking(thinking: Thinking, writing: Writing): Fields {
  const { call, flags, report } = writing;
  if (thinking === "off") return {};
  if (!thinks(call)) {
    report(optionLoss("thinking", "this API does not accept it together with a forced tool choice"));
    return {};
  }
  if (isAdaptive(call.model, flags)) {
    return { "/thinking": { type: "adaptive" }, "/output_config/effort": writeEffort(thinking, report) };
  }
  const asked = budgetOf(thinking, true);
  const budget = budgetOf(thinking, false);
  if (asked < budget) {
    report(
      optionLoss(
        "thinking",
        `this API requires at least ${SMALLEST_BUDGET}`,
        "approximated",
        budgetText(asked),
      ),
    );
  }
  const limit = writeLimit({ ...writing, report: () => undefined });
  return { "/thinking": { type: "enabled", budget_tokens: below(limit, budget, report) } };
}

function budgetOf(thinking: CallOptions["thinking"], isFree: boolean): number {
  if (thinking === undefined || thinking === "off") return 0;
  if (typeof thinking === "string") return BUDGETS[thinking];
  return isFree ? thinking.budgetTokens : Math.max(SMALLEST_BUDGET, thinking.budgetTokens);
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
  report(optionLoss("maxTokens", why, "approximated", `a limit of ${options.maxTokens ?? limit} tokens`));
  return longest;
}

/** A budget that leaves room for an answer. */
function below(limit: number, budget: number, report: Report): number {
  if (budget < limit) return budget;
  const half = Math.max(SMALLEST_BUDGET, Math.floor(limit / 2));
  const why = `thinking and the answer share ${limit} tokens; ${half} are for thinking`;
  report(optionLoss("thinking", why, "approximated", budgetText(budget)));
  return half;
}

function writeEffort(thinking: Exclude<Thinking, "off">, report: Report): (typeof EFFORTS)[number] {
  if (typeof thinking === "string") {
    const effort = closestLevel(thinking, EFFORTS);
    if (effort !== thinking) {
      const why = `the closest effort of this API is "${effort}"`;
      report(optionLoss("thinking", why, "approximated", `thinking "${thinking}"`));
    }
    return effort;
  }
  const { budgetTokens } = thinking;
  const effort = effortOf(budgetTokens);
  const why = `this model accepts no budget; the effort "${effort}" is sent`;
  report(optionLoss("thinking", why, "approximated", budgetText(budgetTokens)));
  return effort;
}

function budgetText(tokens: number): string {
  return `a budget of ${tokens} tokens`;
}

/** The effort of a model that is free to think is `high` by default. */
export function readThinking({ thinking, output_config: config }: JsonObject): Thinking | undefined {
  if (!isObject(thinking)) return undefined;
  switch (thinking["type"]) {
    case "disabled":
      return "off";
    case "adaptive":
      return readEffort((isObject(config) ? config["effort"] : undefined) ?? "high");
    case "enabled": {
      const { budget_tokens: budgetTokens } = thinking;
      return typeof budgetTokens === "number" ? { budgetTokens } : undefined;
    }
    default:
      return undefined;
  }
}
