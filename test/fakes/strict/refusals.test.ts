import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/json/value.js";
import { strictAnthropic } from "./anthropic.js";
import type { StrictApi } from "./api.js";
import { strictGoogle } from "./google.js";
import { strictOllama } from "./ollama.js";
import { strictOpenaiChat } from "./openai-chat.js";
import { strictOpenaiResponses } from "./openai-responses.js";
import { seal } from "./seal.js";

function refusal(api: StrictApi, body: JsonObject, headers: Record<string, string> = {}) {
  return api.refusal({ path: "/v1beta/models/gemini-3-pro-preview:generateContent", headers, body });
}

describe("anthropic", () => {
  const version = { "anthropic-version": "2023-06-01" };
  const thinking = { type: "thinking", thinking: "Hm.", signature: seal("Hm.") };
  const call = { type: "tool_use", id: "toolu_1", name: "lookup", input: {} };
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "r" }] };
  const asked = (content: JsonObject[], more: JsonObject = {}) => ({
    model: "claude-opus-4-6",
    max_tokens: 99,
    thinking: { type: "adaptive" },
    messages: [{ role: "user", content: "Go." }, { role: "assistant", content }, result],
    ...more,
  });

  test("takes what it signed", () => {
    expect(refusal(strictAnthropic, asked([thinking, call]), version)).toBeUndefined();
  });

  test.each<[string, JsonObject, Record<string, string>, string]>([
    ["no version", asked([thinking, call]), {}, "anthropic-version: header is required"],
    [
      "a limit that is missing",
      { ...asked([thinking, call]), max_tokens: undefined },
      version,
      "max_tokens: Field required",
    ],
    [
      "a changed signature",
      asked([{ ...thinking, thinking: "Hm!" }, call]),
      version,
      "messages.1.content.0: Invalid `signature` in `thinking` block",
    ],
    [
      "a loop without its thinking",
      asked([call], { max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 2000 } }),
      version,
      "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`",
    ],
    [
      "a field of a beta that was not asked for",
      asked([thinking, call], { context_management: {} }),
      version,
      "context_management: Extra inputs are not permitted",
    ],
    [
      "a later system message without its beta",
      asked([thinking, call], {
        messages: [
          { role: "user", content: "Go." },
          { role: "system", content: "x" },
        ],
      }),
      version,
      'messages: Unexpected role "system"',
    ],
    [
      "a result without a call",
      asked([thinking]),
      version,
      "messages.2: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
    ],
  ])("refuses %s", (_, body, headers, expected) => {
    expect(refusal(strictAnthropic, body, headers)).toBe(expected);
  });
});

describe("openai-responses", () => {
  const user = { role: "user", content: "Go." };
  const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: `rs_1.${seal("rs_1")}` };
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "lookup", arguments: "{}" };
  const output = { type: "function_call_output", call_id: "call_1", output: "r" };
  const asked = (...items: JsonObject[]) => ({ model: "gpt-5.5", store: false, input: [user, ...items] });

  test("takes what it encrypted", () => {
    expect(refusal(strictOpenaiResponses, asked(reasoning, call, output))).toBeUndefined();
  });

  test.each<[string, JsonObject, string]>([
    [
      "changed reasoning",
      asked({ ...reasoning, encrypted_content: "x" }, call, output),
      "The encrypted content for item rs_1 could not be verified.",
    ],
    [
      "a call without its reasoning",
      asked(call, output),
      "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item.",
    ],
    [
      "an output without a call",
      asked(output),
      "No tool call found for function call output with call_id call_1.",
    ],
    [
      "an unknown role",
      asked({ role: "boss", content: "x" }),
      "Invalid value: 'boss'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
    ],
    [
      "a strict tool whose schema is open",
      { ...asked(), tools: [{ type: "function", name: "t", strict: true, parameters: { type: "object" } }] },
      "Invalid schema for function 't': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    ],
  ])("refuses %s", (_, body, expected) => {
    expect(refusal(strictOpenaiResponses, body)).toBe(expected);
  });
});

describe("openai-chat", () => {
  const user = { role: "user", content: "Go." };
  const fn = { name: "lookup", arguments: "{}" };
  const call = {
    role: "assistant",
    content: null,
    reasoning_content: "Hm.",
    tool_calls: [{ id: "call_1", type: "function", function: fn }],
  };
  const result = { role: "tool", tool_call_id: "call_1", content: "r" };
  const asked = (...messages: JsonObject[]) => ({ model: "deepseek-v4", messages: [user, ...messages] });

  test("takes its thinking back", () => {
    expect(refusal(strictOpenaiChat, asked(call, result))).toBeUndefined();
  });

  test.each<[string, JsonObject, string]>([
    [
      "a call without its thinking",
      asked({ ...call, reasoning_content: undefined }, result),
      "thinking is enabled but reasoning_content is missing in assistant tool call message at index 1",
    ],
    [
      "details with another signature",
      asked(
        { ...call, reasoning_details: [{ type: "reasoning.text", text: "Hm.", signature: "x" }] },
        result,
      ),
      "Invalid signature in reasoning_details of the message at index 1",
    ],
    [
      "a result without a call",
      asked(result),
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (call_1)",
    ],
    [
      "an unknown role",
      asked({ role: "boss", content: "x" }),
      "Invalid value: 'boss'. Supported values are: 'system', 'assistant', 'user', 'tool', and 'developer'.",
    ],
    [
      "a strict tool with an optional field",
      {
        ...asked(),
        tools: [
          {
            type: "function",
            function: {
              name: "t",
              strict: true,
              parameters: { type: "object", additionalProperties: false, properties: { a: {} } },
            },
          },
        ],
      },
      "Invalid schema for function 't': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'a'.",
    ],
  ])("refuses %s", (_, body, expected) => {
    expect(refusal(strictOpenaiChat, body)).toBe(expected);
  });
});

describe("google", () => {
  const functionCall = { name: "lookup", args: { step: 1 } };
  const signature = seal(JSON.stringify(["lookup", { step: 1 }, undefined, undefined]));
  const response = { functionResponse: { name: "lookup", response: {} } };
  const asked = (...parts: JsonObject[]) => ({
    contents: [
      { role: "user", parts: [{ text: "Go." }] },
      { role: "model", parts },
      { role: "user", parts: [response] },
    ],
  });

  test("takes what it signed", () => {
    expect(refusal(strictGoogle, asked({ functionCall, thoughtSignature: signature }))).toBeUndefined();
  });

  test.each<[string, JsonObject, string]>([
    [
      "a call without its signature",
      asked({ functionCall }),
      "Function call is missing a thought_signature in functionCall parts.",
    ],
    [
      "a signature that it did not make",
      asked({ functionCall, thoughtSignature: "c2tpcA==" }),
      "Thought signature is not valid.",
    ],
  ])("refuses %s", (_, body, expected) => {
    expect(refusal(strictGoogle, body)).toBe(expected);
  });
});

test("ollama refuses an unknown role, and signs nothing", () => {
  expect(refusal(strictOllama, { model: "m", messages: [{ role: "boss", content: "x" }] })).toBe(
    "invalid role: boss",
  );
});
