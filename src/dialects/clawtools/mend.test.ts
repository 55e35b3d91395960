import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "./check.js";
import { mend } from "./mend.js";

type Fields = Record<string, unknown>;
const result = (id: string, text: string, more: Fields = {}) => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "",
  content: [{ type: "text", text }],
  isError: false,
  ...more,
});
const call = (id: string, given: unknown, more: Fields = {}) => ({
  type: "toolCall",
  id,
  name: "read",
  arguments: given,
  ...more,
});
const noName = (id: string) => `The toolName of the result for "${id}" is unknown and was left empty.`;
const noError = (id: string) => `The isError of the result for "${id}" was missing; false was written.`;

const cases: [string, Fields, Fields[], string[]][] = [
  [
    "the tool role of OpenAI",
    { role: "tool", tool_call_id: "call_1", content: "18 °C" },
    [result("call_1", "18 °C")],
    [
      'The tool message for "call_1" became a toolResult message.',
      'The text of the result for "call_1" became a text block.',
      noName("call_1"),
      noError("call_1"),
    ],
  ],
  [
    "the same with a name, blocks and fields of its own",
    { role: "tool", tool_call_id: "c", name: "weather", content: [{ type: "text", text: "x" }], cost: 3 },
    [result("c", "x", { toolName: "weather", cost: 3 })],
    ['The tool message for "c" became a toolResult message.', noError("c")],
  ],
  [
    "result blocks of Anthropic beside what the user says",
    {
      role: "user",
      content: [
        { type: "text", text: "first" },
        { type: "tool_result", tool_use_id: "t1", content: "A", is_error: true },
        { type: "tool_result", tool_use_id: "t2", content: [{ type: "text", text: "B" }], is_error: false },
        { type: "text", text: "last" },
      ],
      timestamp: 5,
    },
    [
      result("t1", "A", { isError: true }),
      result("t2", "B"),
      {
        role: "user",
        content: [
          { type: "text", text: "first" },
          { type: "text", text: "last" },
        ],
        timestamp: 5,
      },
    ],
    [
      'The tool_result block for "t1" became a toolResult message.',
      'The text of the result for "t1" became a text block.',
      noName("t1"),
      'The tool_result block for "t2" became a toolResult message.',
      noName("t2"),
    ],
  ],
  [
    "result blocks alone, without content and with an image",
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1" },
        {
          type: "tool_result",
          tool_use_id: "t2",
          is_error: false,
          cache_control: { type: "ephemeral" },
          content: [
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
            { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
          ],
        },
      ],
      timestamp: 5,
    },
    [
      result("t1", ""),
      {
        role: "toolResult",
        toolCallId: "t2",
        toolName: "",
        content: [
          { type: "image", data: "AAAA", mimeType: "image/png" },
          { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
        ],
        isError: false,
        cache_control: { type: "ephemeral" },
      },
    ],
    [
      'The tool_result block for "t1" became a toolResult message.',
      'The content of the result for "t1" was empty; an empty text was written.',
      noName("t1"),
      noError("t1"),
      'The tool_result block for "t2" became a toolResult message.',
      'An image of the result for "t2" was rewritten as data and mimeType.',
      noName("t2"),
      "The timestamp of the user message was removed: nothing else is left of that message.",
    ],
  ],
  [
    "the call block of Anthropic",
    {
      role: "assistant",
      content: [
        { type: "text", text: "Reading." },
        { type: "tool_use", id: "t1", name: "read", input: { path: "a" }, cache_control: null },
        { type: "tool_use", id: "t2", name: "read" },
      ],
    },
    [
      {
        role: "assistant",
        content: [
          { type: "text", text: "Reading." },
          call("t1", { path: "a" }, { cache_control: null }),
          call("t2", {}),
        ],
      },
    ],
    [
      'The tool_use block "t1" became a toolCall block.',
      'The tool_use block "t2" became a toolCall block.',
      'The call "t2" had no arguments; an empty object was written.',
    ],
  ],
  [
    "the call list of OpenAI",
    {
      role: "assistant",
      content: null,
      refusal: null,
      tool_calls: [
        { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
        { id: "c2", type: "function", index: 1, function: { name: "read", arguments: '{"path":' } },
        { id: "c3", type: "function", function: { name: "read", arguments: "[1]" } },
        { id: "c4", type: "function", function: { name: "read", arguments: '{"n":12345678901234567890}' } },
        { id: "c5", function: { name: "read", arguments: { already: "parsed" } } },
      ],
    },
    [
      {
        role: "assistant",
        refusal: null,
        content: [
          call("c1", { path: "a" }),
          call("c2", '{"path":', { index: 1 }),
          call("c3", "[1]"),
          call("c4", { n: 12345678901234567000 }),
          call("c5", { already: "parsed" }),
        ],
      },
    ],
    [
      'The call "c1" in tool_calls became a toolCall block.',
      'The arguments of the call "c1" were parsed.',
      'The call "c2" in tool_calls became a toolCall block.',
      'The arguments of the call "c2" are not a JSON object and were left unchanged.',
      'The call "c3" in tool_calls became a toolCall block.',
      'The arguments of the call "c3" are not a JSON object and were left unchanged.',
      'The call "c4" in tool_calls became a toolCall block.',
      'The arguments of the call "c4" were parsed.',
      "The number 12345678901234567890 became 12345678901234567000: a double cannot represent it.",
      'The call "c5" in tool_calls became a toolCall block.',
    ],
  ],
  [
    "the call list beside text",
    {
      role: "assistant",
      content: "Reading.",
      tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: "{}" } }],
    },
    [{ role: "assistant", content: [{ type: "text", text: "Reading." }, call("c1", {})] }],
    ['The call "c1" in tool_calls became a toolCall block.', 'The arguments of the call "c1" were parsed.'],
  ],
  [
    "a call in both places",
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "c1", name: "read", input: {} }],
      tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: "{}" } }],
    },
    [{ role: "assistant", content: [call("c1", {})] }],
    [
      'The tool_use block "c1" became a toolCall block.',
      'The call "c1" in tool_calls was removed: the content already has it.',
    ],
  ],
  [
    "an empty call list",
    { role: "assistant", content: "x", tool_calls: [] },
    [{ role: "assistant", content: "x" }],
    ["The empty tool_calls was removed."],
  ],
  [
    "arguments that are text",
    { role: "assistant", content: [call("c1", '{"path":"a"}')] },
    [{ role: "assistant", content: [call("c1", { path: "a" })] }],
    ['The arguments of the call "c1" were parsed.'],
  ],
  [
    "a result that is text",
    { role: "toolResult", toolCallId: "c1", toolName: "read", content: "A", isError: false },
    [result("c1", "A", { toolName: "read" })],
    ['The text of the result for "c1" became a text block.'],
  ],
  [
    "a result that leaves things out",
    { role: "toolResult", toolCallId: "c1", content: ["A"], details: 1 },
    [result("c1", "A", { details: 1 })],
    ['A text of the result for "c1" became a text block.', noName("c1"), noError("c1")],
  ],
  [
    "a result that says nothing, not even of what",
    { role: "toolResult" },
    [{ role: "toolResult", toolName: "", content: [{ type: "text", text: "" }], isError: false }],
    [
      "The content of the result without an id was empty; an empty text was written.",
      "The toolName of the result without an id is unknown and was left empty.",
      "The isError of the result without an id was missing; false was written.",
    ],
  ],
];

describe("mend", () => {
  test.each(cases)("%s", (_, record, records, changes) => {
    const before = structuredClone(record);
    expect(mend(record)).toEqual({ records, changes });
    expect(record).toEqual(before);
  });

  test.each<[string, Fields]>([
    ["what is right", { role: "assistant", content: [call("c1", {})] }],
    ["an answer without content", { role: "assistant", content: null }],
    ["arguments that are not JSON", { role: "assistant", content: [call("c1", "{")] }],
    ["a tool message for no call", { role: "tool", content: "x" }],
    ["a tool message with both ids", { role: "tool", tool_call_id: "a", toolCallId: "b", content: "x" }],
    ["a result that is no content", { role: "tool", tool_call_id: "a", content: 7 }],
    ["a result block for no call", { role: "user", content: [{ type: "tool_result", content: "x" }] }],
    ["a call of another kind", { role: "assistant", tool_calls: [{ id: "c", type: "custom", custom: {} }] }],
    [
      "a call with two names",
      { role: "assistant", tool_calls: [{ id: "c", name: "a", function: { name: "b" } }] },
    ],
    ["a system prompt", { role: "system", content: "x" }],
    ["somebody's own role", { role: "note", tool_call_id: "c" }],
  ])("leaves alone %s", (_, record) => expect(mend(record)).toBeUndefined());
});

const mistakes = new Set([
  "clawtools/openai-tool-role",
  "clawtools/anthropic-tool-result",
  "clawtools/anthropic-tool-use",
  "clawtools/openai-tool-calls",
]);

const id = fc.constantFrom("a", "b", "c");
const content = fc.oneof(
  fc.string(),
  fc.constant(null),
  fc.array(fc.oneof(fc.string(), fc.record({ type: fc.constant("text"), text: fc.string() })), {
    maxLength: 3,
  }),
);
const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: fc.string() }),
  fc.record({ type: fc.constant("tool_use"), id, name: id, input: fc.oneof(fc.object(), fc.string()) }),
  fc.record(
    { type: fc.constant("tool_result"), tool_use_id: id, content, is_error: fc.boolean() },
    { requiredKeys: ["type", "tool_use_id"] },
  ),
);
const toolCall = fc.record({
  id,
  function: fc.record({ name: id, arguments: fc.oneof(fc.json(), fc.string()) }),
});
const wrong = fc.oneof(
  fc.record({ role: fc.constant("tool"), tool_call_id: id, content }),
  fc.record({
    role: fc.constant("user"),
    content: fc.array(
      block.filter(({ type }) => type !== "tool_use"),
      { minLength: 1 },
    ),
  }),
  fc.record(
    {
      role: fc.constant("assistant"),
      content: fc.oneof(fc.string(), fc.array(block.filter(({ type }) => type !== "tool_result"))),
      tool_calls: fc.array(toolCall),
    },
    { requiredKeys: ["role", "content"] },
  ),
);

test("what is mended has none of the common mistakes left, and nothing more to mend", () => {
  let mended = 0;
  fc.assert(
    fc.property(wrong, (record) => {
      const { records } = mend(record) ?? { records: [record] };
      expect(check(records).filter(({ code }) => mistakes.has(code))).toEqual([]);
      expect(records.map(mend)).toEqual(records.map(() => undefined));
      if (records[0] !== record) mended++;
    }),
    { numRuns: 500 },
  );
  expect(mended).toBeGreaterThan(250);
});
