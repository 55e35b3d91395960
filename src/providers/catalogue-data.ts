import type { Prices } from "../core/message/usage.js";
import type { ModelCard, ModelPrices } from "./catalogue.js";

/**
 * The date of the data. Sources: stored copies of the vendors' model and pricing pages (platform.claude.com/docs,
 * developers.openai.com/api/docs, ai.google.dev/gemini-api/docs); where there was no copy, models.dev and the model list
 * that pi generates from it. Prices are for the standard tier. Unknown values are left out.
 */
export const CATALOGUE_DATE = "2026-11-15";

/** `cacheWrite` is 0 if the vendor does not charge for it separately. */
function price(
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite = 0,
  cacheWrite1h?: number,
): Prices {
  return { input, output, cacheRead, cacheWrite, ...(cacheWrite1h === undefined ? {} : { cacheWrite1h }) };
}

function tiered(prices: Prices, inputTokens: number, above: Prices): ModelPrices {
  return { ...prices, above: { inputTokens, prices: above } };
}

function claude(contextWindow: number, maxOutput: number, prices: ModelPrices): ModelCard {
  return { contextWindow, maxOutput, input: ["text", "image", "file"], thinking: true, prices };
}

function gpt(contextWindow: number, maxOutput: number, prices: ModelPrices, thinking = true): ModelCard {
  return { contextWindow, maxOutput, input: ["text", "image"], thinking, prices };
}

function gemini(prices: ModelPrices): ModelCard {
  const input = ["text", "image", "audio", "file"] as const;
  return { contextWindow: 1_048_576, maxOutput: 65_536, input, thinking: true, prices };
}

const opus5 = claude(1_000_000, 128_000, price(5, 25, 0.5, 6.25, 10));
const opus45 = claude(200_000, 64_000, price(5, 25, 0.5, 6.25, 10));
const opus4 = claude(200_000, 32_000, price(15, 75, 1.5, 18.75, 30));
const sonnet4 = claude(200_000, 64_000, price(3, 15, 0.3, 3.75, 6));
const haiku45 = claude(200_000, 64_000, price(1, 5, 0.1, 1.25, 2));

const anthropic: Record<string, ModelCard> = {
  "claude-fable-5-1": claude(1_000_000, 128_000, price(10, 50, 0.25, 12.5, 20)),
  "claude-fable-5": claude(1_000_000, 128_000, price(10, 50, 1, 12.5, 20)),
  "claude-opus-5-5": claude(1_000_000, 128_000, price(4, 20, 0.2, 5, 8)),
  "claude-opus-5": opus5,
  "claude-opus-4-8": opus5,
  "claude-opus-4-7": opus5,
  "claude-opus-4-6": opus5,
  "claude-opus-4-5": opus45,
  "claude-opus-4-5-20251101": opus45,
  "claude-opus-4-1": opus4,
  "claude-opus-4-1-20250805": opus4,
  // Cache reads cost 0.2 at first; models.dev and others state 0.1 since October 2026.
  "claude-sonnet-5-5": claude(1_000_000, 128_000, price(2, 10, 0.1, 2.5, 4)),
  "claude-sonnet-5": claude(1_000_000, 128_000, price(2, 10, 0.2, 2.5, 4)),
  "claude-sonnet-4-6": claude(1_000_000, 64_000, price(3, 15, 0.3, 3.75, 6)),
  "claude-sonnet-4-5": sonnet4,
  "claude-sonnet-4-5-20250929": sonnet4,
  "claude-haiku-5-5": claude(
    1_000_000,
    128_000,
    tiered(price(0.1, 0.5, 0.01, 0.125, 0.2), 100_000, price(0.5, 2.5, 0.05, 0.625)),
  ),
  "claude-haiku-4-5": haiku45,
  "claude-haiku-4-5-20251001": haiku45,
};

/** For a request with more input tokens, other prices apply to the whole request. */
const LONG = 272_000;
const MILLION = 1_050_000;

// For GPT-5.6 the pages give the price of cache writes as a factor: 1.25 times the input price. That cache reads double with
// the input price above the limit is assumed, as for GPT-5.5.

/** Promotional prices until 2026-11-21; before, and possibly after, 5 and 30. */
const sol56 = gpt(MILLION, 128_000, tiered(price(4, 20, 0.4, 5), LONG, price(8, 30, 0.8, 10)));

const openai: Record<string, ModelCard> = {
  "gpt-6-astra": gpt(MILLION, 128_000, tiered(price(10, 50, 1, 12.5), LONG, price(20, 75, 2, 25))),
  "gpt-6.1-sol": gpt(MILLION, 128_000, tiered(price(2, 10, 0.1, 2.5), LONG, price(4, 15, 0.2, 5))),
  "gpt-6-sol": gpt(MILLION, 128_000, tiered(price(2, 10, 0.2, 2.5), LONG, price(4, 15, 0.4, 5))),
  "gpt-6-luna": gpt(
    MILLION,
    128_000,
    tiered(price(0.1, 0.5, 0.01, 0.125), LONG, price(0.2, 0.75, 0.02, 0.25)),
  ),
  "gpt-5.6": sol56,
  "gpt-5.6-sol": sol56,
  "gpt-5.6-terra": gpt(MILLION, 128_000, tiered(price(2, 12, 0.2, 2.5), LONG, price(4, 18, 0.4, 5))),
  "gpt-5.6-luna": gpt(
    MILLION,
    128_000,
    tiered(price(0.2, 1.2, 0.02, 0.25), LONG, price(0.4, 1.8, 0.04, 0.5)),
  ),
  "gpt-5.5": gpt(MILLION, 128_000, tiered(price(5, 30, 0.5), LONG, price(10, 45, 1))),
  "gpt-5.4": gpt(MILLION, 128_000, tiered(price(2.5, 15, 0.25), LONG, price(5, 22.5, 0.5))),
  "gpt-5.4-mini": gpt(400_000, 128_000, price(0.75, 4.5, 0.075)),
  "gpt-5.4-nano": gpt(400_000, 128_000, price(0.2, 1.25, 0.02)),
  "gpt-5.3-codex": gpt(400_000, 128_000, price(1.75, 14, 0.175)),
  "gpt-5.2": gpt(400_000, 128_000, price(1.75, 14, 0.175)),
  "gpt-5.1": gpt(400_000, 128_000, price(1.25, 10, 0.125)),
  "gpt-5": gpt(400_000, 128_000, price(1.25, 10, 0.125)),
  "gpt-5-mini": gpt(400_000, 128_000, price(0.25, 2, 0.025)),
  "gpt-5-nano": gpt(400_000, 128_000, price(0.05, 0.4, 0.005)),
  "gpt-4.1": gpt(1_047_576, 32_768, price(2, 8, 0.5), false),
  "gpt-4.1-mini": gpt(1_047_576, 32_768, price(0.4, 1.6, 0.1), false),
  "gpt-4.1-nano": gpt(1_047_576, 32_768, price(0.1, 0.4, 0.025), false),
  "gpt-4o": gpt(128_000, 16_384, price(2.5, 10, 1.25), false),
  "gpt-4o-mini": gpt(128_000, 16_384, price(0.15, 0.6, 0.075), false),
  o3: gpt(200_000, 100_000, price(2, 8, 0.5)),
};

const google: Record<string, ModelCard> = {
  // Introductory prices until 2026-12-31; from 2027, 1.5, 7.5 and 0.15.
  "gemini-3.8-flash": gemini(price(0.75, 3.75, 0.075)),
  "gemini-3.5-flash": gemini(price(1.5, 9, 0.15)),
  "gemini-3.1-pro-preview": gemini(tiered(price(2, 12, 0.2), 200_000, price(4, 18, 0.4))),
  "gemini-3.1-flash-lite": gemini(price(0.25, 1.5, 0.025)),
  "gemini-3-flash-preview": gemini(price(0.5, 3, 0.05)),
  "gemini-2.5-pro": gemini(tiered(price(1.25, 10, 0.125), 200_000, price(2.5, 15, 0.25))),
  "gemini-2.5-flash": gemini(price(0.3, 2.5, 0.03)),
  "gemini-2.5-flash-lite": gemini(price(0.1, 0.4, 0.01)),
};

/** The context window depends on the server (`num_ctx`), and the cost on who runs it. */
const ollama: Record<string, ModelCard> = {
  "gpt-oss:20b": { input: ["text"], thinking: true },
  "gpt-oss:120b": { input: ["text"], thinking: true },
  "qwen3:8b": { input: ["text"], thinking: true },
  "qwen3:32b": { input: ["text"], thinking: true },
  "gemma3:4b": { input: ["text", "image"], thinking: false },
  "gemma3:12b": { input: ["text", "image"], thinking: false },
  "gemma3:27b": { input: ["text", "image"], thinking: false },
};

/** They run in this process and cost nothing. */
const demo: Record<string, ModelCard> = {
  echo: { input: ["text"], thinking: false, tools: false },
  tools: { input: ["text"], thinking: false, structured: false },
  script: { input: ["text"], thinking: true },
};

/** Release dates, from models.dev and the vendors' announcements. The dates of other models are unknown. */
const released: Readonly<Record<string, string>> = {
  "claude-fable-5": "2026-06-09",
  "claude-opus-5": "2026-07-24",
  "claude-opus-4-8": "2026-05-28",
  "claude-opus-4-7": "2026-04-16",
  "claude-opus-4-6": "2026-02-05",
  "claude-opus-4-5": "2025-11-24",
  "claude-opus-4-5-20251101": "2025-11-24",
  "claude-opus-4-1": "2025-08-05",
  "claude-opus-4-1-20250805": "2025-08-05",
  "claude-sonnet-5": "2026-06-30",
  "claude-sonnet-4-6": "2026-02-17",
  "claude-sonnet-4-5": "2025-09-29",
  "claude-sonnet-4-5-20250929": "2025-09-29",
  "claude-haiku-4-5": "2025-10-15",
  "claude-haiku-4-5-20251001": "2025-10-15",
  "gpt-5.6": "2026-07-09",
  "gpt-5.6-sol": "2026-07-09",
  "gpt-5.6-terra": "2026-07-09",
  "gpt-5.6-luna": "2026-07-09",
  "gpt-5.5": "2026-04-23",
  "gpt-5.4": "2026-03-05",
  "gpt-5.4-mini": "2026-03-17",
  "gpt-5.4-nano": "2026-03-17",
  "gpt-5.3-codex": "2026-02-05",
  "gpt-5.2": "2025-12-11",
  "gpt-5.1": "2025-11-13",
  "gpt-5": "2025-08-07",
  "gpt-5-mini": "2025-08-07",
  "gpt-5-nano": "2025-08-07",
  "gpt-4.1": "2025-04-14",
  "gpt-4.1-mini": "2025-04-14",
  "gpt-4.1-nano": "2025-04-14",
  "gpt-4o": "2024-05-13",
  "gpt-4o-mini": "2024-07-18",
  o3: "2025-04-16",
  "gemini-3.5-flash": "2026-05-19",
  "gemini-3.1-pro-preview": "2026-02-19",
  "gemini-3.1-flash-lite": "2026-05-07",
  "gemini-3-flash-preview": "2025-12-17",
  "gemini-2.5-pro": "2025-06-17",
  "gemini-2.5-flash": "2025-06-17",
  "gemini-2.5-flash-lite": "2025-06-17",
};

function withReleaseDate(id: string, card: ModelCard): ModelCard {
  const day = released[id];
  return day === undefined ? card : { ...card, released: day };
}

export const catalogue: Record<string, ModelCard> = Object.fromEntries(
  Object.entries({ anthropic, openai, google, ollama, demo }).flatMap(([provider, models]) =>
    Object.entries(models).map(([id, card]) => [`${provider}/${id}`, withReleaseDate(id, card)]),
  ),
);
