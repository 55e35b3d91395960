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

const details = [
  { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "41.5s" },
  { "@type": "type.googleapis.com/google.rpc.Help", links: [] },
];
const exhausted = (more: readonly object[] = []) =>
  JSON.stringify({
    error: {
      code: 429,
      message: "You exceeded your current quota. Please retry in 41.5s.",
      status: "RESOURCE_EXHAUSTED",
      details: [...details, ...more],
    },
  });

test("Google reports in the details when to retry, also for what it calls a quota", () => {
  expect(httpFailure(429, new Headers(), exhausted(), 0)).toMatchObject({
    code: "provider/http",
    details: {
      status: 429,
      code: "RESOURCE_EXHAUSTED",
      retryable: true,
      retryAfterMs: 41_500,
      reported: { status: "RESOURCE_EXHAUSTED", details },
    },
  });
});

test("a quota per day is one", () => {
  const quotaId = "GenerateRequestsPerDayPerProjectPerModel-FreeTier";
  const daily = { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId }] };
  expect(httpFailure(429, new Headers(), exhausted([daily]), 0)).toMatchObject({
    code: "provider/quota",
    details: { retryable: false },
  });
});

test("the header comes before the details", () => {
  const headers = new Headers({ "retry-after": "3" });
  expect(httpFailure(429, headers, exhausted(), 0)).toMatchObject({ details: { retryAfterMs: 3000 } });
});

test.each([
  [
    "fields that programs read",
    { type: "t", code: "c", param: "p", x: 1 },
    { type: "t", code: "c", param: "p" },
  ],
  ["fields of other types", { type: 1, code: null, param: ["p"] }, undefined],
  ["large details", { type: "t", details: ["x".repeat(20_000)] }, { type: "t" }],
])("keeps %s", (_, error, expected) => {
  const body = JSON.stringify({ error: { message: "m", ...error } });
  expect(httpFailure(400, new Headers(), body, 0).details?.["reported"]).toEqual(expected);
});

test("a body that nests too deep is read as text", () => {
  const body = `{"error":{"message":"m","details":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`;
  expect(httpFailure(400, new Headers(), body, 0).message).toMatch(/^HTTP 400: \{"error":/);
});
