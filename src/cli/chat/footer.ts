import { isPriceUnknown, sumUsage } from "../../core/message/usage.js";
import { contextTokens } from "../../core/shown/tokens.js";
import { modelsNamed } from "../../runtime/model-names.js";
import { cut } from "../sessions/plain.js";
import { money } from "../sessions/spending.js";
import type { Talk } from "./talk.js";

export interface Footer {
  model: string;
  /** Tokens that the next request sends, at least. */
  used: number;
  contextWindow: number | undefined;
  cost: number;
  /** Some answers have no known price. */
  unpriced: boolean;
}

/** Undefined for a program, which has its own model. */
export async function footerFor(talk: Talk): Promise<Footer | undefined> {
  const { runtime, current, agent } = talk;
  if (runtime.agents.isProgram(agent)) return undefined;
  const model = await talk.modelName();
  const messages = (await current?.messages()) ?? [];
  const answers = messages.filter((message) => message.role === "assistant");
  const [first] = modelsNamed(runtime.config, model);
  return {
    model,
    used: contextTokens(messages),
    contextWindow: runtime.connect(first?.name ?? model).card.contextWindow,
    cost: sumUsage(answers.map(({ usage }) => usage)).cost.total,
    unpriced: answers.some(isPriceUnknown),
  };
}

/** `anthropic/claude-opus-4-6 · 12k of 200k, 94% left · $0.04`; less on a narrow terminal. */
export function footerLine({ model, used, contextWindow, cost, unpriced }: Footer, columns: number): string {
  const price = money({ cost: { total: cost } }, unpriced);
  const context =
    contextWindow === undefined
      ? `${short(used)} tokens`
      : `${short(used)} of ${short(contextWindow)}, ${Math.max(0, Math.floor(100 - (used / contextWindow) * 100))}% left`;
  const whole = [model, context, price].join(" · ");
  if (whole.length < columns) return whole;
  const rest = ` · ${context.replace(/^.*, /, "")} · ${price}`;
  return cut(model, Math.max(columns - 1 - rest.length, 8)) + rest;
}

/** `950`, `12k`, `1.2M` */
function short(count: number): string {
  if (count < 1000) return `${count}`;
  return count < 999_500
    ? `${Math.round(count / 1000)}k`
    : `${(count / 1_000_000).toFixed(1).replace(/\.0$/, "")}M`;
}
