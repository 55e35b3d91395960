import { expect, test } from "vitest";
import { answer, says } from "../../../test/fakes/scripted-model.js";
import type { AgentMessage, AssistantMessage } from "../types.js";
import { failureIn, isRefused, isSilent } from "./failure.js";

const failed = (rest: Partial<AssistantMessage>) => answer([], { stopReason: "error", ...rest });

const failures: [string, AgentMessage, unknown][] = [
  [
    "a failed answer",
    failed({
      errorMessage: "HTTP 429: slow",
      ext: { failure: { code: "provider/http", status: 429, retryable: true, retryAfterMs: 5 } },
    }),
    { message: "HTTP 429: slow", code: "provider/http", status: 429, retryable: true, retryAfterMs: 5 },
  ],
  ["a failed answer of another program", failed({}), { message: "the model failed without saying why" }],
  [
    "an error line",
    { role: "error", content: "HTTP 503: down", code: "provider/http", recoverable: true, timestamp: 1 },
    { message: "HTTP 503: down", code: "provider/http", retryable: true, status: 503 },
  ],
  ["an error line without a code", { role: "error", content: "x", timestamp: 1 }, { message: "x" }],
  ["a stopped answer", answer([], { stopReason: "aborted" }), undefined],
  ["an answer", says("Hi."), undefined],
  ["a user", { role: "user", content: "x", timestamp: 1 }, undefined],
];

test.each(failures)("the failure in %s", (_, message, expected) => {
  expect(failureIn(message)).toEqual(expected);
});

test("an answer is silent if it broke off before the model had said anything", () => {
  expect(isSilent(failed({}))).toBe(true);
  expect(isSilent(answer([], { stopReason: "aborted" }))).toBe(true);
  expect(isSilent(answer([]))).toBe(false);
  expect(isSilent({ ...says("half"), stopReason: "error" })).toBe(false);
  expect(isSilent({ role: "error", content: "x", timestamp: 1 })).toBe(false);
});

test("a request is refused if the provider answered with a status, or was not asked", () => {
  const refused = (failure: object) => isRefused(failed({ ext: { failure } }));
  expect(refused({ code: "provider/http", status: 401 })).toBe(true);
  expect(refused({ code: "provider/no-key" })).toBe(true);
  expect(refused({ code: "provider/network" })).toBe(false);
  expect(isRefused({ ...says("half"), stopReason: "error", ext: { failure: { status: 429 } } })).toBe(false);
});
