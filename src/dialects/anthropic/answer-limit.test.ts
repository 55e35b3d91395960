import { describe, expect, test } from "vitest";
import { validateRequest } from "../../../test/fakes/anthropic.js";
import type { Call, CallOptions } from "../../core/api/provider.js";
import type { Loss } from "../../core/types.js";
import { anthropicApi } from "./index.js";

function write(model: string, limits: Call["limits"], options: CallOptions = {}, text = "Hi") {
  const losses: Loss[] = [];
  const context = { messages: [{ role: "user" as const, content: text, timestamp: 1 }] };
  const call = { model, context, options, stream: true, ...(limits === undefined ? {} : { limits }) };
  const { max_tokens, thinking } = anthropicApi.request(call, {}, (loss) => losses.push(loss));
  const body = anthropicApi.request(call, {}, () => undefined);
  expect(validateRequest(body)).toBeUndefined();
  return { max_tokens, thinking, losses };
}

describe("without a limit of the caller's", () => {
  test.each([
    ["claude-opus-4-6", 64_000, 64_000],
    ["my-model", 100, 100],
    ["claude-opus-9", undefined, 32_000],
    ["claude-opus-4-20250514", undefined, 32_000],
    ["claude-3-7-sonnet-20250219", undefined, 32_000],
    ["claude-3-5-haiku-20241022", undefined, 8192],
    ["claude-3-haiku-20240307", undefined, 4096],
    ["my-model", undefined, 8192],
  ])("%s, which answers with up to %s tokens, is asked for %d", (model, maxOutput, expected) => {
    expect(write(model, { maxOutput }).max_tokens).toBe(expected);
  });

  test("the answer is as long as the window has room for, and never hopeless", () => {
    const limits = { maxOutput: 64_000, contextWindow: 200_000 };
    const asked = (tokens: number) => write("claude-sonnet-4-5", limits, {}, "abc".repeat(tokens)).max_tokens;
    expect(asked(1000)).toBe(64_000);
    expect(asked(150_000)).toBe(200_000 - 150_000 - 1);
    expect(asked(199_000)).toBe(4096);
  });

  test("thinking is part of the model's own limit", () => {
    expect(write("claude-opus-4-1", { maxOutput: 32_000 }, { thinking: "high" })).toEqual({
      max_tokens: 32_000,
      thinking: { type: "enabled", budget_tokens: 16_384 },
      losses: [],
    });
    expect(write("my-model", {}, { thinking: "high" })).toMatchObject({
      max_tokens: 24_576,
      thinking: { budget_tokens: 16_384 },
    });
  });
});

describe("what the model cannot answer", () => {
  test("a limit above the model's own is lowered, and reported", () => {
    const limits = { maxOutput: 32_000 };
    expect(write("claude-opus-4-1", limits, { maxTokens: 40_000 })).toEqual({
      max_tokens: 32_000,
      thinking: undefined,
      losses: [
        {
          at: "/options/maxTokens",
          what: "a limit of 40000 tokens",
          why: "the model answers with at most 32000 tokens, thinking included",
          severity: "approximated",
        },
      ],
    });
  });

  test("thinking leaves room for an answer, and what is less is reported", () => {
    const { max_tokens, thinking, losses } = write(
      "claude-opus-4-1",
      { maxOutput: 32_000 },
      { thinking: { budgetTokens: 50_000 }, maxTokens: 1000 },
    );
    expect({ max_tokens, thinking }).toEqual({
      max_tokens: 32_000,
      thinking: { type: "enabled", budget_tokens: 16_000 },
    });
    expect(losses.map(({ at }) => at)).toEqual(["/options/maxTokens", "/options/thinking"]);
  });
});
