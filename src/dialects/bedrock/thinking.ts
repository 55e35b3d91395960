import { generationOf } from "../../core/api/claude-generation.js";
import {
  CLAUDE_EFFORTS,
  forcesTool,
  isAdaptive,
  readClaudeThinking,
  SMALLEST_BUDGET,
  thinkingTokens,
  writeBudget,
  writeEffort,
} from "../../core/api/claude-thinking.js";
import { readEffort } from "../../core/api/effort.js";
import { type Fields, optionLoss, type Writing } from "../../core/api/option-table.js";
import type { Flags, Thinking } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import { objectIn } from "./wire.js";

/** Contains the fields of each model vendor. */
export const ADDITIONAL = "/additionalModelRequestFields";

const EFFORTS = ["low", "medium", "high"] as const;

/** Whether a model is Claude. A model behind an ARN is Claude if it has a flag that only Claude has. */
export function isClaude(model: string, { adaptiveThinking }: Flags): boolean {
  return adaptiveThinking !== undefined || generationOf(model) !== undefined;
}

export function isNova(model: string): boolean {
  return model.includes("amazon.nova-");
}

/** Whether the request asks Claude to think. The API refuses that together with a forced tool. */
export function thinks({ call: { model, options }, flags }: Writing): boolean {
  const { thinking = "off", toolChoice } = options;
  return isClaude(model, flags) && thinking !== "off" && !forcesTool(toolChoice);
}

/** The limit on thinking and answer together. A level's budget is added to it; a budget in tokens is part of it. */
export function writeLimit(maxTokens: number, writing: Writing): number {
  const { thinking } = writing.call.options;
  if (!thinks(writing)) return maxTokens;
  const budget = Math.max(SMALLEST_BUDGET, thinkingTokens(thinking));
  return typeof thinking === "object" && maxTokens > budget ? maxTokens : maxTokens + budget;
}

/** Each vendor's models have their own fields for thinking. */
export function writeThinking(thinking: Thinking, writing: Writing): Fields {
  const { call, flags, report } = writing;
  const { model } = call;
  if (model.includes("openai.gpt-")) {
    return { [`${ADDITIONAL}/reasoning_effort`]: writeGptEffort(thinking, writing) };
  }
  if (thinking === "off") return {};
  if (isClaude(model, flags)) return writeClaudeThinking(thinking, writing);
  if (/amazon\.nova-(?:2|[3-9])/.test(model)) {
    const maxReasoningEffort = writeEffort(thinking, EFFORTS, report);
    return { [`${ADDITIONAL}/reasoningConfig`]: { type: "enabled", maxReasoningEffort } };
  }
  report(optionLoss("thinking", unknownField("thinking")));
  return {};
}

/** Why an option is lost for a model whose own fields are unknown. */
export function unknownField(what: string): string {
  return `this model's field for ${what} is unknown; use extra.additionalModelRequestFields`;
}

function writeClaudeThinking(thinking: Exclude<Thinking, "off">, writing: Writing): Fields {
  const { call, flags, report } = writing;
  if (!thinks(writing)) {
    report(optionLoss("thinking", "this API does not accept it together with a forced tool choice"));
    return {};
  }
  if (!isAdaptive(call.model, flags)) {
    return { [`${ADDITIONAL}/thinking`]: { type: "enabled", budget_tokens: writeBudget(thinking, report) } };
  }
  return {
    [`${ADDITIONAL}/thinking`]: { type: "adaptive" },
    [`${ADDITIONAL}/output_config/effort`]: writeEffort(thinking, CLAUDE_EFFORTS, report),
  };
}

function writeGptEffort(thinking: Thinking, { call, report }: Writing): (typeof EFFORTS)[number] {
  if (thinking !== "off") return writeEffort(thinking, EFFORTS, report);
  const why = `${call.model} always thinks; the effort "low" is sent`;
  report(optionLoss("thinking", why, "approximated", "the request not to think"));
  return "low";
}

/** The fields that can state the thinking option. */
export const THINKING_FIELDS = [
  `${ADDITIONAL}/thinking/type`,
  `${ADDITIONAL}/reasoningConfig/type`,
  `${ADDITIONAL}/reasoning_effort`,
  `${ADDITIONAL}/output_config/effort`,
] as const;

export function readThinking(body: JsonObject): Thinking | undefined {
  const fields = objectIn(body, "additionalModelRequestFields") ?? {};
  const claude = objectIn(fields, "thinking");
  const nova = objectIn(fields, "reasoningConfig");
  if (claude !== undefined) {
    return readClaudeThinking(claude["type"], claude["budget_tokens"], effortIn(body));
  }
  if (nova === undefined) return readEffort(fields["reasoning_effort"]);
  return nova["type"] === "disabled" ? "off" : readEffort(nova["maxReasoningEffort"]);
}

/** Claude's field, or Converse's. */
function effortIn(body: JsonObject): unknown {
  const own = objectIn(objectIn(body, "additionalModelRequestFields"), "output_config");
  return own?.["effort"] ?? objectIn(body, "outputConfig")?.["effort"];
}

/** The fields that are read together with the thinking option. */
export function fieldsBeside(body: JsonObject): string[] {
  const fields = objectIn(body, "additionalModelRequestFields") ?? {};
  const claude = objectIn(fields, "thinking");
  if (claude === undefined) return [`${ADDITIONAL}/reasoningConfig/maxReasoningEffort`];
  return claude["type"] === "adaptive"
    ? [`${ADDITIONAL}/output_config/effort`, "/outputConfig/effort"]
    : [`${ADDITIONAL}/thinking/budget_tokens`];
}
