import { generationOf } from "./claude-generation.js";
import { closestLevel, effortOf, readEffort } from "./effort.js";
import { numberField, type OptionField, optionLoss, type Writing } from "./option-table.js";
import type { Call, CallOptions, Flags, Thinking, ThinkingLevel } from "./provider.js";

/** The smallest budget that Claude accepts. */
export const SMALLEST_BUDGET = 1024;

/** How many tokens a level of thinking may take. */
const BUDGETS = { minimal: 1024, low: 2048, medium: 8192, high: 16_384, xhigh: 20_480, max: 24_576 } as const;

export const CLAUDE_EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

/**
 * Whether a model thinks as much as it wants, given only an effort, and accepts neither a budget nor a temperature: Claude
 * from 4.7 on. Other models with Claude's settings require a budget.
 */
export function isAdaptive(model: string, { adaptiveThinking }: Flags = {}): boolean {
  return adaptiveThinking ?? (generationOf(model) ?? 0) >= 4.07;
}

/** Whether a tool must be called. Claude does not think then. */
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

/** The tokens for thinking: those of a level, or the given ones. */
export function thinkingTokens(thinking: CallOptions["thinking"]): number {
  if (thinking === undefined || thinking === "off") return 0;
  return typeof thinking === "string" ? BUDGETS[thinking] : thinking.budgetTokens;
}

/** The same as a budget that the model accepts; a larger one than was given is reported. */
export function writeBudget(thinking: Exclude<Thinking, "off">, report: Writing["report"]): number {
  const asked = thinkingTokens(thinking);
  if (asked >= SMALLEST_BUDGET) return asked;
  const why = `this API requires at least ${SMALLEST_BUDGET}`;
  report(optionLoss("thinking", why, "approximated", budgetText(asked)));
  return SMALLEST_BUDGET;
}

/** The effort of a model that accepts no budget. */
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

/** What `thinking` of a request asks for. The effort of a model that is free to think is `high` by default. */
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

/** A field for how tokens are chosen, as Claude accepts it: models that think freely accept none, and thinking excludes most. */
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
      // What these models do anyway.
      if (name !== "topK" && value === 1 && (adaptive || thinks(writing))) return {};
      const why = refusalOf(name, value, { adaptive, thinks: thinks(writing), writing });
      if (why !== undefined) report(optionLoss(name, why));
      else if (name === "temperature" && value > 1) {
        report(optionLoss("temperature", "the highest of this API is 1", "approximated"));
        return { [at]: 1 };
      } else return { [at]: value };
      return {};
    },
  };
}

/** Why Claude does not accept the setting; undefined if it does. */
function refusalOf(
  name: Sampling,
  value: number,
  { adaptive, thinks, writing }: { adaptive: boolean; thinks: boolean; writing: Writing },
): string | undefined {
  const { model, options } = writing.call;
  if (adaptive) return "this API does not accept it for this model";
  if (thinks && !(name === "topP" && value >= 0.95)) return "this API does not accept it beside thinking";
  const isSecond = name === "topP" && options.temperature !== undefined;
  if (isSecond && (generationOf(model) ?? 0) >= 4.01)
    return "this model does not accept it beside a temperature";
  return undefined;
}
