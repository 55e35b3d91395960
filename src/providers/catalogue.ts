import { type Prices, priced, type Tokens } from "../core/message/usage.js";
import type { Usage } from "../core/types.js";
import { catalogue } from "./catalogue-data.js";

/** What is known of a model. */
export interface ModelCard {
  /** Tokens that fit into it; unknown when absent. */
  contextWindow?: number;
  /** The longest answer, in tokens. */
  maxOutput?: number;
  input: readonly ("text" | "image" | "audio" | "file")[];
  thinking: boolean;
  /** Whether it calls tools (default: true). */
  tools?: boolean;
  /** Whether it answers in JSON that fits a schema (default: true). */
  structured?: boolean;
  /** The day it was released, `2026-02-05`. */
  released?: string;
  /** Absent when nobody knows. */
  prices?: ModelPrices;
}

/** Dollars per million tokens, and what changes when a request is large. */
export interface ModelPrices extends Prices {
  /** Prices of a request with more input tokens (cached ones included) than this. */
  above?: { inputTokens: number; prices: Prices };
}

/** What the catalogue says of a model. One it does not list is taken to see images and think, at an unknown price. */
export function cardOf(provider: string, id: string): ModelCard {
  return catalogue[`${provider}/${id}`] ?? { input: ["text", "image"], thinking: true };
}

/** Adds models, or what your own contract says of known ones, to the catalogue. */
export function extendCatalogue(cards: Readonly<Record<string, ModelCard>>): void {
  Object.assign(catalogue, cards);
}

/** Tokens with their cost; free of charge when the price is unknown, which the message then says. */
export function priceWith({ prices }: ModelCard, tokens: Tokens): Usage {
  if (prices === undefined) return priced(tokens, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
  const { above } = prices;
  const large =
    above !== undefined && tokens.input + tokens.cacheRead + tokens.cacheWrite > above.inputTokens;
  return priced(tokens, large ? above.prices : prices);
}
