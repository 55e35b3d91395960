import { afterEach, describe, expect, test } from "vitest";
import type { Prices } from "../core/message/usage.js";
import { cardOf, extendCatalogue, type ModelCard, priceWith } from "./catalogue.js";
import { CATALOGUE_DATE, catalogue } from "./catalogue-data.js";

const cards = Object.entries(catalogue);

function expectPrices(prices: Prices): void {
  expect(prices.input).toBeGreaterThan(0);
  expect(prices.output).toBeGreaterThan(prices.input);
  expect(prices.cacheRead).toBeGreaterThan(0);
  expect(prices.cacheRead).toBeLessThanOrEqual(prices.input);
  if (prices.cacheWrite !== 0) expect(prices.cacheWrite).toBeGreaterThanOrEqual(prices.input);
  if (prices.cacheWrite1h !== undefined) expect(prices.cacheWrite1h).toBeGreaterThan(prices.cacheWrite);
}

describe("the catalogue", () => {
  test("says when it was looked up, and has the models that people use", () => {
    expect(CATALOGUE_DATE).toBe("2026-11-15");
    expect(cards.length).toBeGreaterThanOrEqual(40);
    expect(Object.keys(catalogue)).toEqual(
      expect.arrayContaining([
        "anthropic/claude-opus-4-6",
        "anthropic/claude-sonnet-5-5",
        "openai/gpt-5.5",
        "google/gemini-2.5-pro",
        "ollama/gpt-oss:20b",
      ]),
    );
  });

  test.each(cards)("%s makes sense", (name, card) => {
    expect(name).toMatch(/^(anthropic|openai|google|ollama|demo)\/[a-z0-9][a-z0-9.:-]*$/);
    expect(card.input[0]).toBe("text");
    expect(new Set(card.input).size).toBe(card.input.length);
    const { contextWindow, maxOutput, prices } = card;
    if (/^(ollama|demo)\//.test(name)) {
      expect([contextWindow, maxOutput, prices]).toEqual([undefined, undefined, undefined]);
      return;
    }
    expect(Number.isInteger(contextWindow) && Number.isInteger(maxOutput)).toBe(true);
    expect(maxOutput).toBeGreaterThanOrEqual(16_384);
    expect(contextWindow).toBeGreaterThan(maxOutput ?? 0);
    if (prices === undefined) throw new Error("no prices");
    expectPrices(prices);
    const { above } = prices;
    if (above === undefined) return;
    expectPrices(above.prices);
    expect(above.inputTokens).toBeLessThan(contextWindow ?? 0);
    expect(above.prices.input).toBeGreaterThan(prices.input);
    expect(above.prices.output).toBeGreaterThan(prices.output);
  });

  test("some cards, whole", () => {
    expect(cardOf("anthropic", "claude-opus-4-6")).toEqual({
      contextWindow: 1_000_000,
      maxOutput: 128_000,
      input: ["text", "image", "file"],
      thinking: true,
      released: "2026-02-05",
      prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 },
    });
    expect(cardOf("openai", "gpt-5.5")).toEqual({
      contextWindow: 1_050_000,
      maxOutput: 128_000,
      input: ["text", "image"],
      thinking: true,
      released: "2026-04-23",
      prices: {
        input: 5,
        output: 30,
        cacheRead: 0.5,
        cacheWrite: 0,
        above: { inputTokens: 272_000, prices: { input: 10, output: 45, cacheRead: 1, cacheWrite: 0 } },
      },
    });
  });
});

describe("the price of an answer", () => {
  const opus = cardOf("anthropic", "claude-opus-4-6");
  const pro = cardOf("google", "gemini-2.5-pro");

  test("is that of its tokens", () => {
    expect(priceWith(opus, { input: 1000, output: 500, cacheRead: 20_000, cacheWrite: 4000 })).toEqual({
      input: 1000,
      output: 500,
      cacheRead: 20_000,
      cacheWrite: 4000,
      totalTokens: 25_500,
      cost: { input: 0.005, output: 0.0125, cacheRead: 0.01, cacheWrite: 0.025, total: 0.0525 },
    });
  });

  test("is higher for what the cache keeps for an hour", () => {
    const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 4000, cacheWrite1h: 1000 };
    expect(priceWith(opus, tokens).cost).toMatchObject({ cacheWrite: 0.02875, total: 0.02875 });
    expect(priceWith(opus, tokens)).not.toHaveProperty("cacheWrite1h");
  });

  test.each([
    [{ input: 200_000, output: 1000, cacheRead: 0, cacheWrite: 0 }, 0.26],
    [{ input: 200_001, output: 1000, cacheRead: 0, cacheWrite: 0 }, 0.5150025],
    // Cached tokens count for the size of a request, and cost less all the same.
    [{ input: 1000, output: 0, cacheRead: 199_001, cacheWrite: 0 }, 0.05225025],
  ])("depends on the size of the request: %j", (tokens, total) => {
    expect(priceWith(pro, tokens).cost.total).toBe(total);
  });

  test("is nothing when it is not known", () => {
    const unknown = cardOf("openai", "gpt-99");
    expect(unknown).toEqual({ input: ["text", "image"], thinking: true });
    expect(priceWith(unknown, { input: 10, output: 20, cacheRead: 0, cacheWrite: 0 })).toEqual({
      input: 10,
      output: 20,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 30,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    });
  });
});

describe("a catalogue of one's own", () => {
  const known = catalogue["openai/gpt-5.5"];
  afterEach(() => {
    Reflect.deleteProperty(catalogue, "acme/one");
    if (known !== undefined) catalogue["openai/gpt-5.5"] = known;
  });

  test("adds models and replaces what is known of others", () => {
    const card: ModelCard = {
      input: ["text"],
      thinking: false,
      prices: { input: 1, output: 2, cacheRead: 0.5, cacheWrite: 1 },
    };
    extendCatalogue({ "acme/one": card, "openai/gpt-5.5": card });
    expect([cardOf("acme", "one"), cardOf("openai", "gpt-5.5")]).toEqual([card, card]);
    expect(
      priceWith(cardOf("acme", "one"), { input: 1e6, output: 1e6, cacheRead: 0, cacheWrite: 0 }).cost.total,
    ).toBe(3);
  });
});
