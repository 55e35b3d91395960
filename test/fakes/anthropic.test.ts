import { describe, expect, test } from "vitest";
import { validateRequest } from "./anthropic.js";

const question = { role: "user", content: "hi" };
const call = (id: string) => ({ type: "tool_use", id, name: "f", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "ok" });

function ask(messages: unknown[], more: object = {}): string | undefined {
  return validateRequest({ model: "m", max_tokens: 10, messages, ...more });
}

function said(...blocks: object[]): string | undefined {
  return ask([{ role: "user", content: blocks }]);
}

test("a sound conversation is taken", () => {
  const messages = [
    question,
    {
      role: "assistant",
      content: [{ type: "thinking", thinking: "", signature: "s" }, call("a"), call("b")],
    },
    { role: "user", content: [result("b"), result("a"), { type: "text", text: "and?" }] },
    { role: "assistant", content: "Done." },
    question,
    question,
  ];
  const tools = [{ name: "f", description: "d", input_schema: { type: "object" } }];
  expect(ask(messages, { system: "s", tools, tool_choice: { type: "auto" }, stream: true })).toBeUndefined();
});

describe("refused", () => {
  test.each([
    ["what is no object", validateRequest([]), "Input should be a valid dictionary"],
    ["no limit", validateRequest({ model: "m", messages: [question] }), "max_tokens: Field required"],
    ["unknown fields", ask([question], { foo: 1 }), "foo: Extra inputs are not permitted"],
    ["no messages", ask([]), "messages: at least one message is required"],
    ["other roles", ask([{ role: "tool", content: "x" }]), 'messages: Unexpected role "tool"'],
    [
      "empty messages",
      ask([{ role: "user", content: [] }]),
      "messages.0: all messages must have non-empty content",
    ],
    ["empty text", said({ type: "text", text: "" }), "messages: text content blocks must be non-empty"],
    [
      "blank text",
      said({ type: "text", text: " \n" }),
      "messages: text content blocks must contain non-whitespace text",
    ],
    [
      "fields of blocks",
      said({ type: "text", text: "x", y: 1 }),
      "messages.0.content.0.text.y: Extra inputs are not permitted",
    ],
    [
      "thinking of a user",
      said({ type: "thinking", thinking: "x", signature: "s" }),
      "messages.0.content.0: Input tag 'thinking' found using 'type'",
    ],
    [
      "audio",
      said({ type: "audio", data: "AAAA" }),
      "messages.0.content.0: Input tag 'audio' found using 'type'",
    ],
    [
      "images of other types",
      said({ type: "image", source: { type: "base64", media_type: "image/bmp", data: "AAAA" } }),
      "messages.0.content.0.image.source.base64.media_type: Input should be a supported type",
    ],
    [
      "space at the end of a prefill",
      ask([question, { role: "assistant", content: "So " }]),
      "messages: final assistant content cannot end with trailing whitespace",
    ],
    [
      "unsigned thinking",
      ask([question, { role: "assistant", content: [{ type: "thinking", thinking: "x", signature: "" }] }]),
      "messages.1.content.0: Invalid `signature` in `thinking` block",
    ],
    [
      "ids with other characters",
      ask([question, { role: "assistant", content: [call("a|b")] }]),
      "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ],
    [
      "the same id twice",
      ask([
        question,
        { role: "assistant", content: [call("a"), call("a")] },
        { role: "user", content: [result("a")] },
      ]),
      "messages.1: `tool_use` ids must be unique",
    ],
    [
      "two results of a call",
      ask([
        question,
        { role: "assistant", content: [call("a")] },
        { role: "user", content: [result("a"), result("a")] },
      ]),
      "messages.2: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
    ],
    [
      "four marks and one",
      said(...[1, 2, 3, 4, 5].map(() => ({ type: "text", text: "x", cache_control: {} }))),
      "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ],
    [
      "a choice without tools",
      ask([question], { tool_choice: { type: "any" } }),
      "tool_choice may only be specified while providing tools",
    ],
    [
      "a budget over the limit",
      ask([question], { thinking: { type: "enabled", budget_tokens: 2000 } }),
      "`max_tokens` must be greater than `thinking.budget_tokens`",
    ],
    [
      "thinking at a temperature",
      ask([question], {
        max_tokens: 3000,
        temperature: 0,
        thinking: { type: "enabled", budget_tokens: 2000 },
      }),
      "`temperature` may only be set to 1 when thinking is enabled",
    ],
    [
      "a temperature, by new models",
      ask([question], { model: "claude-sonnet-5", temperature: 0 }),
      "`temperature` is deprecated for this model.",
    ],
  ])("%s", (_, message, expected) => expect(message).toBe(expected));

  test("calls without results, and results without calls", () => {
    const open = [question, { role: "assistant", content: [call("a")] }];
    expect(ask(open)).toBe(
      "messages: `tool_use` ids were found without `tool_result` blocks immediately after: a",
    );
    expect(ask([...open, question])).toContain(
      "`tool_use` ids were found without `tool_result` blocks immediately after: a.",
    );
    const late = [{ type: "text", text: "x" }, result("a")];
    expect(ask([...open, { role: "user", content: late }])).toContain("immediately after: a.");
    expect(said(result("z"))).toContain("unexpected `tool_use_id` found in `tool_result` blocks: z.");
  });
});
