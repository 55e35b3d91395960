import { describe, expect, test } from "vitest";
import { answer, says } from "../../../test/fakes/scripted-model.js";
import type { Usage } from "../types.js";
import { emptyUsage, isPriceUnknown, markCutUsage, priced, sumUsage } from "./usage.js";

const opus = { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 };

function costing(total: number): Usage {
  return { ...emptyUsage(), cost: { ...emptyUsage().cost, total } };
}

describe("priced", () => {
  test("counts tokens and dollars, cached ones too", () => {
    expect(priced({ input: 1500, output: 200, cacheRead: 1000, cacheWrite: 40 }, opus)).toEqual({
      input: 1500,
      output: 200,
      cacheRead: 1000,
      cacheWrite: 40,
      totalTokens: 2740,
      cost: { input: 0.0225, output: 0.015, cacheRead: 0.0015, cacheWrite: 0.00075, total: 0.03975 },
    });
  });
  test("prices below a cent per million keep their last digit", () => {
    const cheap = { input: 0.0375, output: 0.000001, cacheRead: 0, cacheWrite: 0 };
    expect(priced({ input: 3, output: 1, cacheRead: 0, cacheWrite: 0 }, cheap).cost).toEqual({
      input: 0.0000001125,
      output: 0.000000000001,
      cacheRead: 0,
      cacheWrite: 0,
      total: 0.000000112501,
    });
  });
});

describe("sumUsage", () => {
  test("nothing costs nothing", () => expect(sumUsage([])).toEqual(emptyUsage()));

  test("100,000 messages of ten cents are 10,000 dollars, not 10,000.000000018848", () => {
    const messages = Array.from({ length: 100_000 }, () => costing(0.1));
    expect(sumUsage(messages).cost.total).toBe(10_000);
    expect(messages.reduce((sum, usage) => sum + usage.cost.total, 0)).not.toBe(10_000);
  });

  test("100,000 tiny costs keep their micro-dollars beside a huge one", () => {
    const tiny = Array.from({ length: 100_000 }, () => costing(0.0000001125));
    expect(sumUsage([costing(123_456_789), ...tiny]).cost.total).toBe(123_456_789.01125);
  });

  test("token counts and written totals are added as they stand", () => {
    const a = { ...emptyUsage(), input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 3 };
    expect(sumUsage([a, a])).toMatchObject({
      input: 2,
      output: 4,
      cacheRead: 6,
      cacheWrite: 8,
      totalTokens: 6,
    });
  });
});

describe("an answer that was cut", () => {
  test("has an unknown usage where the provider has reported none", () => {
    const message = { ...says("half"), ext: { synthesised: ["/timestamp", "/usage/cost"], other: 1 } };
    markCutUsage(message);
    expect(message.ext).toEqual({ synthesised: ["/timestamp", "/usage"], other: 1 });
    expect(isPriceUnknown(message)).toBe(true);
  });

  test("keeps what was reported, and only the output is unknown", () => {
    const usage = priced({ input: 100, output: 1, cacheRead: 0, cacheWrite: 0 }, opus);
    const message = answer([{ type: "text", text: "half" }], { usage });
    markCutUsage(message);
    expect(message.usage).toEqual(usage);
    expect(message.ext?.synthesised).toEqual([
      "/usage/output",
      "/usage/totalTokens",
      "/usage/cost/output",
      "/usage/cost/total",
    ]);
    expect(isPriceUnknown(message)).toBe(true);
  });

  test("lists nothing twice", () => {
    const usage = { ...emptyUsage(), input: 5, totalTokens: 5 };
    const message = answer([], { usage, ext: { synthesised: ["/usage/cost"] } });
    markCutUsage(message);
    markCutUsage(message);
    expect(message.ext?.synthesised).toEqual(["/usage/cost", "/usage/output", "/usage/totalTokens"]);
  });

  test("costs nothing if its request was refused", () => {
    const failure = { code: "provider/http", status: 429 };
    const message = answer([], { stopReason: "error", ext: { failure } });
    markCutUsage(message);
    expect(isPriceUnknown(message)).toBe(false);
  });
});
