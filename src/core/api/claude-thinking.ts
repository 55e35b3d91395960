import { generationOf } from "./claude-generation.js";
import { closestLevel, effortOf, readEffort } from "./effort.js";
import { numberField, type OptionField, optionLoss, type Writing } from "./option-table.js";
import type { Call, CallOptions, Flags, Thinking, ThinkingLevel } from "./provider.js";

/** The smallest budget that Claude accepts. */
export const SMALLEST_BUDGET = 1024;

/** The thinking budget of each level, in tokens. */
const BUDGETS = { minimal: 1024, low: 2048, medium: 8192, high: 16_384, xhigh: 20_480, max: 24_576 } as const;

export const CLAUDE_EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

/**
 * Whether a model decides itself how much to think: it accepts an effort, but neither a budget nor a temperature. True for
 * Claude 4.7 and later. Other models with Claude's settings require a budget.
 */
export function isAdaptive(model: string, { adaptiveThinking }: Flags = {}): boolean {
  return adaptiveThinking ?? (generationOf(model) ?? 0) >= 4.07;
}

/** Whether the model must call a tool. Claude does not think in that case. */
export function forcesTool(choice: CallOptions["toolChoice"]): boolean {
  return choice !== undefined && choice !== "auto" && choice !== "none";
}

/**
 * Why Claude refuses to think about this history; undefined if it does not. With a budget, every call since the user's
 * message needs its signed thinking, which is missing if another model made it or the client did not send it back.
 */
export function refusesThinking({ model, context }: Call, flags: Flags): string | undefined {
  if (isAdaptive(model, flags)) return undefined;
  const { messages } = context;
  const loop = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
  const isSigned = loop.every((message) => {
    if (message.role !== "assistant") return true;
    const [first] = message.content;
    return first?.type === "thinking" && (first.thinkingSignature ?? "") !== "";
  });
  return isSigned ? undefined : "this model thinks in a tool loop only if earlier calls have signed thinking";
}

/** The thinking budget in tokens: the level's, or the given one. */
export function thinkingTokens(thinking: CallOptions["thinking"]): number {
  if (thinking === undefined || thinking === "off") return 0;
  return typeof thinking === "string" ? BUDGETS[thinking] : thinking.budgetTokens;
}

/** A budget that the model accepts. Reports a loss if it is larger than the requested one. */
export function writeBudget(thinking: Exclude<Thinking, "off">, report: Writing["report"]): number {
  const requested = thinkingTokens(thinking);
  if (requested >= SMALLEST_BUDGET) return requested;
  const why = `this API requires at least ${SMALLEST_BUDGET}`;
  report(optionLoss("thinking", why, "approximated", budgetText(requested)));
  return SMALLEST_BUDGET;
}

/** The effort for a model that accepts no budget. */
export function writeEffort<L extends ThinkingLevel>(
  thinking: Exclude<Thinking, "off">,
  efforts: readonly [L, ...L[]],
  report: Writing["report"],
): L {
  if (typeof thinking === "string") {
    const effort = closestLevel(thinking, efforts);
    if (effort !== thinking) {
      const why = `the closest effort of this API is "${effort}"`;
      report(optionLoss("thinking", why, "approximated", `thinking "${thinking}"`));
    }
    return effort;
  }
  const { budgetTokens } = thinking;
  const effort = closestLevel(effortOf(budgetTokens), efforts);
  const why = `this model accepts no budget; the effort "${effort}" is sent`;
  report(optionLoss("thinking", why, "approximated", budgetText(budgetTokens)));
  return effort;
}

export function budgetText(tokens: number): string {
  return `a budget of ${tokens} tokens`;
}

/** The thinking that a request asks for. An adaptive model's default effort is `high`. */
export function readClaudeThinking(
  type: unknown,
  budgetTokens: unknown,
  effort: unknown,
): Thinking | undefined {
  switch (type) {
    case "disabled":
      return "off";
    case "adaptive":
      return readEffort(effort ?? "high");
    case "enabled":
      return typeof budgetTokens === "number" ? { budgetTokens } : undefined;
    default:
      return undefined;
  }
}

type Sampling = "temperature" | "topP" | "topK";

/** A sampling field under Claude's rules: adaptive models accept none, and other models accept few while thinking. */
export function claudeSampling(
  name: Sampling,
  at: string,
  thinks: (writing: Writing) => boolean,
): OptionField<number> {
  return {
    ...numberField(at),
    write: (value, writing) => {
      const { call, flags, report } = writing;
      const adaptive = isAdaptive(call.model, flags);
      // These models use 1 anyway.
      if (name !== "topK" && value === 1 && (adaptive || thinks(writing))) return {};
      const why = refusalOf(name, value, { adaptive, thinks: thinks(writing), writing });
      if (why !== undefined) report(optionLoss(name, why));
      else if (name === "temperature" && value > 1) {
        report(optionLoss("temperature", "this API's highest temperature is 1", "approximated"));
        return { [at]: 1 };
      } else return { [at]: value };
      return {};
    },
  };
}

/** Why Claude refuses the setting; undefined if it accepts it. */
function refusalOf(
  name: Sampling,
  value: number,
  { adaptive, thinks, writing }: { adaptive: boolean; thinks: boolean; writing: Writing },
): string | undefined {
  const { model, options } = writing.call;
  if (adaptive) return "this API does not accept it for this model";
  if (thinks && !(name === "topP" && value >= 0.95))
    return "this API does not accept it together with thinking";
  const isSecond = name === "topP" && options.temperature !== undefined;
  if (isSecond && (generationOf(model) ?? 0) >= 4.01)
    return "this model does not accept it together with a temperature";
  return undefined;
}
