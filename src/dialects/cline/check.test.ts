import { expect, test } from "vitest";
import { check } from "./check.js";

const findings = (...unit: Record<string, unknown>[]) =>
  check(unit).map(({ at, code, severity }) => `${severity} ${code} ${at}`);

const header = { version: 1, updated_at: "2026-05-02T09:30:00.250Z", agent: "lead", sessionId: "s" };
const metrics = { inputTokens: 9, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0 };
const user = { id: "u", role: "user", content: [{ type: "text", text: "x" }] };
const answer = {
  id: "a",
  role: "assistant",
  content: [{ type: "text", text: "y" }],
  ts: 5,
  modelInfo: { id: "m", provider: "p" },
  metrics,
};
const { metrics: _, ...unmeasured } = answer;

test("what follows the contract is not mentioned", () => {
  const call = { type: "tool_use", id: "c", name: "n", input: [] };
  const result = { type: "tool_result", tool_use_id: "c", content: { any: 1 }, is_error: true };
  expect(findings(header)).toEqual([]);
  expect(findings(user, { ...unmeasured, content: [call] }, { ...user, content: [result] }, answer)).toEqual(
    [],
  );
});

test.each([
  ["an unknown agent", { ...header, agent: "boss" }, ["error cline/agent /0/agent"]],
  ["no session id", { ...header, sessionId: undefined }, ["error cline/no-session-id /0/sessionId"]],
  ["no time", { ...header, updated_at: "soon" }, ["error cline/updated-at /0/updated_at"]],
  ["an empty session id", { ...header, sessionId: "" }, ["error cline/no-session-id /0/sessionId"]],
  ["a task type that is none", { ...header, taskType: 5 }, ["error cline/bad-task-type /0/taskType"]],
  [
    "a prompt that is none",
    { ...header, system_prompt: [] },
    ["error cline/bad-system-prompt /0/system_prompt"],
  ],
  ["a sub-agent without a task", { ...header, agent: "subagent" }, ["warning cline/no-task-type /0"]],
  ["a teammate with a task", { ...header, agent: "teammate", taskType: "review" }, []],
  ["an origin", { ...header, origin: {} }, ["warning cline/origin /0/origin"]],
  ["no id", { ...user, id: undefined }, ["warning cline/no-id /0"]],
  ["an id that is a number", { ...user, id: 5 }, ["error cline/bad-id /0/id"]],
  ["metrics of a user", { ...user, metrics }, ["warning cline/not-an-answer /0/metrics"]],
  [
    "a call without input",
    { ...answer, content: [{ type: "tool_use", id: "c", name: "n" }] },
    ["error cline/no-input /0/content/0"],
  ],
  [
    "a result without content",
    { ...user, content: [{ type: "tool_result", tool_use_id: "c", is_error: false }] },
    ["error cline/no-content /0/content/0"],
  ],
  ["a time in words", { ...user, ts: "now" }, ["error cline/bad-ts /0/ts"]],
  ["metadata", { ...user, metadata: {} }, ["warning cline/metadata /0/metadata"]],
  ["a string as content", { ...user, content: "x" }, ["warning cline/string-content /0/content"]],
  ["an image", { ...user, content: [{ type: "image" }] }, ["warning cline/extra-block /0/content/0"]],
  ["no block at all", { ...user, content: [3] }, ["warning cline/extra-block /0/content/0"]],
  [
    "thinking of a user",
    { ...user, content: [{ type: "thinking" }] },
    ["error cline/wrong-role /0/content/0"],
  ],
  [
    "a result of an assistant",
    { ...answer, content: [{ type: "tool_result" }] },
    ["error cline/wrong-role /0/content/0"],
  ],
  [
    "a result with a name, and no word of errors",
    { ...user, content: [{ type: "tool_result", tool_use_id: "c", content: "", name: "n" }] },
    ["warning cline/no-is-error /0/content/0", "warning cline/result-name /0/content/0/name"],
  ],
  [
    "an error in words",
    { ...user, content: [{ type: "tool_result", tool_use_id: "c", content: "", is_error: "no" }] },
    ["error cline/bad-is-error /0/content/0/is_error"],
  ],
  ["no time of an answer", { ...answer, ts: undefined }, ["warning cline/no-ts /0"]],
  ["no provider", { ...answer, modelInfo: { id: "m" } }, ["warning cline/no-model-info /0"]],
  ["a model that is none", { ...answer, modelInfo: "m" }, ["error cline/bad-model-info /0/modelInfo"]],
  [
    "a family that is none",
    { ...answer, modelInfo: { id: "m", provider: "p", family: 4 } },
    ["error cline/bad-model-info /0/modelInfo/family"],
  ],
  [
    "negative tokens",
    { ...answer, metrics: { ...metrics, inputTokens: -5 } },
    ["error cline/bad-metrics /0/metrics/inputTokens"],
  ],
  [
    "half a token",
    { ...answer, metrics: { ...metrics, outputTokens: 1.5 } },
    ["error cline/bad-metrics /0/metrics/outputTokens"],
  ],
  [
    "a negative cost",
    { ...answer, metrics: { ...metrics, cost: -1 } },
    ["error cline/bad-metrics /0/metrics/cost"],
  ],
  ["no metrics", unmeasured, ["warning cline/no-metrics /0"]],
  ["no metrics of an answer that was stopped", { ...unmeasured, interrupted: "aborted" }, []],
  ["another reason", { ...unmeasured, interrupted: "yes" }, ["warning cline/no-metrics /0"]],
  ["metrics that are none", { ...answer, metrics: 5 }, ["error cline/bad-metrics /0/metrics"]],
  ["no cost", { ...answer, metrics: { ...metrics, cost: undefined } }, ["warning cline/no-cost /0/metrics"]],
  [
    "no cached tokens",
    { ...answer, metrics: { ...metrics, cacheReadTokens: undefined } },
    ["warning cline/incomplete-metrics /0/metrics"],
  ],
  [
    "a cost in words",
    { ...answer, metrics: { ...metrics, cost: "free" } },
    ["error cline/bad-metrics /0/metrics/cost"],
  ],
  [
    "more cached tokens than tokens",
    { ...answer, metrics: { ...metrics, cacheReadTokens: 10 } },
    ["warning cline/input-without-cache /0/metrics/inputTokens"],
  ],
])("%s", (_name, record, expected) => {
  expect(findings(record)).toEqual(expected);
});

test("metrics before the last answer of a turn are mentioned, those of the turn before are not", () => {
  const results = {
    ...user,
    content: [{ type: "tool_result", tool_use_id: "c", content: "", is_error: false }],
  };
  expect(findings(user, answer, results, answer)).toEqual(["warning cline/metrics-not-last /1/metrics"]);
  expect(findings(user, answer, user, answer)).toEqual([]);
});

test("metrics of an attempt that was tried again are right", () => {
  expect(findings(user, answer, answer)).toEqual([]);
});

test("negative and fractional tokens are named as such", () => {
  const messages = (tokens: object) =>
    check([{ ...answer, metrics: { ...metrics, ...tokens } }]).map(({ message }) => message);
  expect(messages({ inputTokens: -5 })).toEqual(["inputTokens is negative"]);
  expect(messages({ outputTokens: 1.5 })).toEqual(["outputTokens is not a whole number"]);
});

test("a finding says what is wrong and what to write", () => {
  expect(check([{ ...user, content: "x" }])).toEqual([
    {
      at: "/0/content",
      code: "cline/string-content",
      message: "the content is a string",
      hint: 'write an array of one block: [{"type":"text","text":…}]',
      severity: "warning",
    },
  ]);
});
