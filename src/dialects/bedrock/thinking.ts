import { generationOf } from "../../core/api/claude-generation.js";
import { effortOf } from "../../core/api/effort.js";
import type { Call, Flags, Thinking } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";

const SMALLEST_BUDGET = 1024;

/** How many tokens a level of thinking may take. */
const BUDGETS = { minimal: 1024, low: 2048, medium: 8192, high: 16_384 } as const;

type Report = (loss: Loss) => void;

/** Limits of an answer that all models have, and the fields with which one of them is asked to think. */
export interface Limits {
  inference: { maxTokens?: number; temperature?: number };
  additional: JsonObject;
}

/** Whether a model thinks as much as it wants and accepts neither a budget nor a temperature: Claude from 4.7 on. */
export function isAdaptive(model: string, { adaptiveThinking }: Flags = {}): boolean {
  return adaptiveThinking ?? (generationOf(model) ?? 0) >= 4.07;
}

/**
 * How long to answer, and how long to think. Every maker's models are asked to think in their own way, in
 * `additionalModelRequestFields`. Claude counts thinking as part of the answer, so a level's budget is added to a limit.
 */
export function writeLimits({ model, options }: Call, flags: Flags, report: Report): Limits {
  const { maxTokens, temperature, thinking = "off", toolChoice } = options;
  const isClaude = generationOf(model) !== undefined;
  const adaptive = isAdaptive(model, flags);
  const isForced = toolChoice === "any" || typeof toolChoice === "object";
  const isRefused = isClaude && isForced && thinking !== "off";
  if (isRefused) report(refused("thinking", "together with a forced tool choice"));
  const asked = isRefused ? "off" : thinking;
  const additional = asked === "off" ? {} : writeThinking(asked, model, adaptive, report);
  const thinks = isClaude && asked !== "off";
  const isWarm = temperature !== undefined && (adaptive || thinks);
  if (isWarm) report(refused("temperature", adaptive ? "for this model" : "beside thinking"));
  const limit = maxTokens === undefined || !thinks ? maxTokens : withThinking(maxTokens, asked);
  return {
    inference: {
      ...(limit === undefined ? {} : { maxTokens: limit }),
      ...(temperature === undefined || isWarm ? {} : { temperature }),
    },
    additional,
  };
}

function writeThinking(
  thinking: Exclude<Thinking, "off">,
  model: string,
  adaptive: boolean,
  report: Report,
): JsonObject {
  if (adaptive) {
    return { thinking: { type: "adaptive" }, output_config: { effort: effort(thinking, report) } };
  }
  if (generationOf(model) !== undefined) {
    return { thinking: { type: "enabled", budget_tokens: budgetOf(thinking, report) } };
  }
  if (/amazon\.nova-(?:2|[3-9])/.test(model)) {
    return { reasoningConfig: { type: "enabled", maxReasoningEffort: effort(thinking, report) } };
  }
  if (model.includes("openai.gpt-")) return { reasoning_effort: effort(thinking, report) };
  const why = "it is not known how this model is asked to think; use extra.additionalModelRequestFields";
  report({ at: "/options/thinking", what: "thinking", why, severity: "dropped" });
  return {};
}

/** The limit of thinking and answer together. A budget in tokens is part of the limit, if it fits. */
function withThinking(maxTokens: number, thinking: Thinking): number {
  const budget = thinking === "off" ? 0 : tokensOf(thinking);
  return typeof thinking === "object" && maxTokens > budget ? maxTokens : maxTokens + budget;
}

function tokensOf(thinking: Exclude<Thinking, "off">): number {
  return typeof thinking === "string" ? BUDGETS[thinking] : Math.max(SMALLEST_BUDGET, thinking.budgetTokens);
}

function budgetOf(thinking: Exclude<Thinking, "off">, report: Report): number {
  if (typeof thinking === "object" && thinking.budgetTokens < SMALLEST_BUDGET) {
    const what = `a budget of ${thinking.budgetTokens} tokens`;
    const why = `this model requires at least ${SMALLEST_BUDGET}`;
    report({ at: "/options/thinking", what, why, severity: "approximated" });
  }
  return tokensOf(thinking);
}

function effort(thinking: Exclude<Thinking, "off">, report: Report): "low" | "medium" | "high" {
  if (typeof thinking === "string") return thinking === "minimal" ? "low" : thinking;
  const nearest = effortOf(thinking.budgetTokens);
  const what = `a budget of ${thinking.budgetTokens} tokens`;
  const why = `this model accepts no budget; the effort "${nearest}" is sent`;
  report({ at: "/options/thinking", what, why, severity: "approximated" });
  return nearest;
}

function refused(option: "thinking" | "temperature", when: string): Loss {
  const why = `this API does not accept it ${when}`;
  return { at: `/options/${option}`, what: option, why, severity: "dropped" };
}
