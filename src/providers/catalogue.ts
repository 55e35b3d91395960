import { type Prices, priced, type Tokens } from "../core/message/usage.js";
import type { Usage } from "../core/types.js";
import { catalogue } from "./catalogue-data.js";

/** A model's known properties. */
export interface ModelCard {
  /** In tokens; absent if unknown. */
  contextWindow?: number;
  /** The longest answer, in tokens. */
  maxOutput?: number;
  input: readonly ("text" | "image" | "audio" | "file")[];
  thinking: boolean;
  /** Whether it calls tools (default: true). */
  tools?: boolean;
  /** Whether it supports structured output (default: true). */
  structured?: boolean;
  /** The release date, `2026-02-05`. */
  released?: string;
  /** Absent if unknown. */
  prices?: ModelPrices;
}

/** Dollars per million tokens, with other prices for large requests. */
export interface ModelPrices extends Prices {
  /** The prices of a request with more than `inputTokens` (including cached ones). */
  above?: { inputTokens: number; prices: Prices };
}

/** A model's card in the catalogue. An unlisted model is assumed to accept images and to think, at an unknown price. */
export function cardOf(provider: string, id: string): ModelCard {
  return catalogue[`${provider}/${id}`] ?? { input: ["text", "image"], thinking: true };
}

/** Adds models to the catalogue, or replaces known ones, for example with the prices of your contract. */
export function extendCatalogue(cards: Readonly<Record<string, ModelCard>>): void {
  Object.assign(catalogue, cards);
}

/** Adds the cost to token counts; it is zero if the prices are unknown, which the message then notes. */
export function priceWith({ prices }: ModelCard, tokens: Tokens): Usage {
  if (prices === undefined) return priced(tokens, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
  const { above } = prices;
  const large =
    above !== undefined && tokens.input + tokens.cacheRead + tokens.cacheWrite > above.inputTokens;
  return priced(tokens, large ? above.prices : prices);
}
