import { expect, test } from "vitest";
import { check } from "./check.js";

/** The drift of one message: `[at, code, severity, hint]`. */
function found(record: Record<string, unknown>) {
  return check([record]).map(({ at, code, severity, hint }) => [at, code, severity, hint]);
}

test.each<[string, Record<string, unknown>]>([
  ["a plain question", { role: "user", content: "Hello!" }],
  [
    "text and image",
    {
      role: "user",
      content: [
        { type: "text", text: "Describe this image:" },
        { type: "image_url", image_url: { url: "data:image/png;base64,..." } },
      ],
    },
  ],
  ["a plain answer", { role: "assistant", content: "The answer is 42." }],
  ["no answer", { role: "assistant", content: null }],
  [
    "a call",
    { role: "assistant", content: [{ type: "toolCall", id: "c1", name: "read", arguments: { path: "a" } }] },
  ],
  ["a block of any type", { role: "assistant", content: [{ type: "thinking", thinking: "Hm." }] }],
  [
    "a result",
    {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "read",
      content: [
        { type: "text", text: "A" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
      ],
      isError: false,
      details: 1,
    },
  ],
])("as documented: %s", (_, record) => expect(found(record)).toEqual([]));

test.each<[string, Record<string, unknown>, unknown[][]]>([
  [
    "the tool role of OpenAI",
    { role: "tool", tool_call_id: "call_1", content: "18 °C" },
    [
      [
        "/0/role",
        "clawtools/openai-tool-role",
        "error",
        'write { "role": "toolResult", "toolCallId": "call_1", "toolName": "…", "content": [{ "type": "text", "text": "…" }], "isError": false }',
      ],
    ],
  ],
  [
    "the same with a name",
    { role: "tool", tool_call_id: 'a"b', name: "weather", content: "18 °C" },
    [
      [
        "/0/role",
        "clawtools/openai-tool-role",
        "error",
        'write { "role": "toolResult", "toolCallId": "a\\"b", "toolName": "weather", "content": [{ "type": "text", "text": "…" }], "isError": false }',
      ],
    ],
  ],
  [
    "the result blocks of Anthropic",
    {
      role: "user",
      content: [
        { type: "text", text: "x" },
        { type: "tool_result", tool_use_id: "toolu_1", content: "A" },
        { type: "tool_result", tool_use_id: "toolu_2", is_error: true },
      ],
    },
    [
      [
        "/0/content/1",
        "clawtools/anthropic-tool-result",
        "error",
        'write, as a message, { "role": "toolResult", "toolCallId": "toolu_1", "toolName": "…", "content": [{ "type": "text", "text": "…" }], "isError": false }',
      ],
      [
        "/0/content/2",
        "clawtools/anthropic-tool-result",
        "error",
        'write, as a message, { "role": "toolResult", "toolCallId": "toolu_2", "toolName": "…", "content": [{ "type": "text", "text": "…" }], "isError": true }',
      ],
    ],
  ],
  [
    "the call block of Anthropic",
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "read", input: {} }] },
    [
      [
        "/0/content/0",
        "clawtools/anthropic-tool-use",
        "error",
        'write { "type": "toolCall", "id": "toolu_1", "name": "read", "arguments": { … } }',
      ],
    ],
  ],
  [
    "the call list of OpenAI",
    {
      role: "assistant",
      tool_calls: [
        { id: "call_1", type: "function", function: { name: "read", arguments: "{}" } },
        { id: "call_2", type: "custom", custom: {} },
        7,
      ],
    },
    [
      [
        "/0/tool_calls/0",
        "clawtools/openai-tool-calls",
        "error",
        'add { "type": "toolCall", "id": "call_1", "name": "read", "arguments": { … } } to content',
      ],
      [
        "/0/tool_calls/1",
        "clawtools/openai-tool-calls",
        "error",
        'add { "type": "toolCall", "id": "call_2", "name": "…", "arguments": { … } } to content',
      ],
      [
        "/0/tool_calls/2",
        "clawtools/openai-tool-calls",
        "error",
        'add { "type": "toolCall", "id": "…", "name": "…", "arguments": { … } } to content',
      ],
    ],
  ],
  [
    "an empty call list",
    { role: "assistant", content: "x", tool_calls: [] },
    [["/0/tool_calls", "clawtools/openai-tool-calls", "error", "remove tool_calls, which is empty"]],
  ],
])("the common mistakes: %s", (_, record, expected) => expect(found(record)).toEqual(expected));

test.each<[string, Record<string, unknown>, unknown[][]]>([
  [
    "a system prompt",
    { role: "system", content: "Be brief." },
    [["/0/role", "clawtools/system-role", "error", "pass it to the connector separately from the messages"]],
  ],
  [
    "a role nobody has",
    { role: "note", content: "x" },
    [["/0/role", "clawtools/unknown-role", "error", "use user, assistant or toolResult"]],
  ],
  [
    "no content",
    { role: "user" },
    [["/0", "clawtools/no-content", "error", "write a string or an array of blocks"]],
  ],
  [
    "no content of a user",
    { role: "user", content: null },
    [["/0/content", "clawtools/no-content", "error", "write a string or an array of blocks"]],
  ],
  [
    "an image without a URL",
    { role: "user", content: [{ type: "image_url", image_url: "https://example.com/a.png" }] },
    [
      [
        "/0/content/0",
        "clawtools/no-image-url",
        "error",
        'write { "type": "image_url", "image_url": { "url": "https://example.com/a.png" } }',
      ],
    ],
  ],
  [
    "arguments that are text",
    { role: "assistant", content: [{ type: "toolCall", id: "c", name: "read", arguments: "{}" }] },
    [
      [
        "/0/content/0/arguments",
        "clawtools/arguments-no-object",
        "error",
        'write { "type": "toolCall", "id": "c", "name": "read", "arguments": { … } }',
      ],
    ],
  ],
  [
    "no arguments",
    { role: "assistant", content: [{ type: "toolCall", id: "c", name: "read" }] },
    [
      [
        "/0/content/0",
        "clawtools/arguments-no-object",
        "error",
        'write { "type": "toolCall", "id": "c", "name": "read", "arguments": { … } }',
      ],
    ],
  ],
  [
    "a block that is none",
    { role: "user", content: ["bare"] },
    [["/0/content/0", "clawtools/no-block", "error", 'write { "type": "text", "text": "bare" }']],
  ],
  [
    "a result that says nothing",
    { role: "toolResult" },
    [
      [
        "/0",
        "clawtools/no-tool-call-id",
        "error",
        'write { "role": "toolResult", "toolCallId": "…", "toolName": "…", "content": [{ "type": "text", "text": "…" }], "isError": false }',
      ],
      ["/0", "clawtools/no-tool-name", "warning", 'add "toolName"'],
      ["/0", "clawtools/no-is-error", "warning", 'add "isError": false, or true if it failed'],
      ["/0", "clawtools/empty-result", "warning", 'write [{ "type": "text", "text": "" }]'],
    ],
  ],
  [
    "a result that is text and names no tool",
    { role: "toolResult", toolCallId: "c1", content: "A", isError: false },
    [
      [
        "/0",
        "clawtools/no-tool-name",
        "warning",
        'add "toolName": the name in the toolCall block with the id "c1"',
      ],
      ["/0/content", "clawtools/text-result", "error", 'write [{ "type": "text", "text": "…" }]'],
    ],
  ],
  [
    "an empty result",
    { role: "toolResult", toolCallId: "c1", toolName: "t", content: [], isError: false },
    [["/0/content", "clawtools/empty-result", "warning", 'write [{ "type": "text", "text": "" }]']],
  ],
  [
    "a result with other blocks",
    {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "t",
      content: [
        { type: "text", text: "A" },
        { type: "image_url", image_url: { url: "u" } },
      ],
      isError: false,
    },
    [
      [
        "/0/content/1",
        "clawtools/result-block",
        "error",
        'write { "type": "text", "text": "…" } or { "type": "image", "data": "…", "mimeType": "…" }',
      ],
    ],
  ],
])("other drift: %s", (_, record, expected) => expect(found(record)).toEqual(expected));

test("places count from the beginning of the unit", () => {
  const at = check([
    { role: "user", content: "x" },
    { role: "tool", tool_call_id: "c", content: "" },
  ]).map((drift) => drift.at);
  expect(at).toEqual(["/1/role"]);
});
