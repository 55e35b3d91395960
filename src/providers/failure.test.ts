import { expect, test } from "vitest";
import { codeOf, httpFailure } from "./failure.js";

test.each([
  ["prompt is too long: 205000 tokens > 200000 maximum", "provider/context-overflow"],
  ["This model's maximum context length is 128000 tokens", "provider/context-overflow"],
  [
    "The input token count (1048577) exceeds the maximum number of tokens allowed",
    "provider/context-overflow",
  ],
  ["Your credit balance is too low", "provider/quota"],
  ["You exceeded your current quota, please check your plan", "provider/quota"],
  ["Overloaded", "provider/failed"],
])("%s is %s", (message, code) => expect(codeOf(message)).toBe(code));

test.each([
  [400, "provider/context-overflow", false],
  [413, "provider/context-overflow", false],
  [429, "provider/http", true],
  [500, "provider/http", true],
])(
  "too many tokens with HTTP %i is %s: a limit per minute is none of the context",
  (status, code, retryable) => {
    const body = '{"error":{"message":"too many tokens"}}';
    expect(httpFailure(status, new Headers(), body, 0)).toMatchObject({
      code,
      details: { status, retryable },
    });
  },
);
