import { describe, expect, test } from "vitest";
import { sentMessages } from "../../../test/support/sent-messages.js";
import type { ApiRules } from "../../core/api/api-rules.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AgentMessage, AssistantMessage, Loss, ToolCall, ToolResultMessage } from "../../core/types.js";
import type { Target } from "./target.js";

const rules: ApiRules = {
  toolId: { pattern: /^[A-Za-z0-9_-]+$/, maxLength: 16, words: "" },
  toolName: { pattern: /^[A-Za-z0-9_-]+$/, maxLength: 16, words: "" },
  namesResults: false,
  text: "any",
  acceptsEmptyMessages: false,
  acceptsLoneSurrogates: false,
  unsignedThinking: "ignored",
  signatures: [],
  signs: ["text", "call"],
  media: { user: { image: ["image/png", "image/jpeg"] }, assistant: {}, toolResult: {} },
  urlSchemes: ["https", "http"],
  imageDetail: false,
  joinsTexts: false,
  trimsLastAnswer: false,
  alternates: true,
  systemFirst: false,
};
const target: Target = { dialect: "d", api: "a", provider: "p", model: "m", images: true, rules };

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });
const answer = (
  content: AssistantMessage["content"],
  more: Partial<AssistantMessage> = {},
): AssistantMessage => ({
  role: "assistant",
  content,
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "stop",
  timestamp: 2,
  ...more,
});
const call = (id: string): ToolCall => ({ type: "toolCall", id, name: "read", arguments: {} });
const result = (toolCallId: string, text = "ok"): ToolResultMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text }],
  isError: false,
  timestamp: 3,
});

function run(messages: AgentMessage[], to: Partial<Target> = {}) {
  const losses: Loss[] = [];
  const sent = sentMessages(messages, { ...target, ...to }, (loss) => losses.push(loss));
  const shape = sent.map((message) => {
    if (message.role === "toolResult")
      return `result ${message.toolCallId}${message.isError ? " (error)" : ""}`;
    const blocks = typeof message.content === "string" ? [] : message.content;
    return `${message.role}: ${blocks.map((block) => (block.type === "toolCall" ? `call ${block.id}` : block.type === "text" ? block.text : block.type)).join(", ")}`;
  });
  return { shape, losses: losses.map(({ at, what, severity }) => `${severity} ${at} ${what}`) };
}

describe("a sound conversation", () => {
  test("is sent as it is", () => {
    expect(
      run([
        user("hi"),
        answer([call("c1"), call("c2")]),
        result("c1"),
        result("c2"),
        answer([{ type: "text", text: "done" }]),
      ]),
    ).toEqual({
      shape: ["user: hi", "assistant: call c1, call c2", "result c1", "result c2", "assistant: done"],
      losses: [],
    });
  });
});

describe("pairing", () => {
  test("a call without a result gets one that says so", () => {
    expect(run([user("hi"), answer([call("c1")]), user("and?")])).toEqual({
      shape: ["user: hi", "assistant: call c1", "result c1 (error)", "user: and?"],
      losses: ['synthesised /messages/1 a result for the call "c1"'],
    });
  });
  test("a late result moves back to its call", () => {
    expect(run([user("hi"), answer([call("c1")]), user("and?"), result("c1")])).toEqual({
      shape: ["user: hi", "assistant: call c1", "result c1", "user: and?"],
      losses: ['approximated /messages/3 the position of the result of "c1"'],
    });
  });
  test("orphan and repeated results are left out", () => {
    expect(
      run([user("hi"), result("zz"), answer([call("c1")]), result("c1"), result("c1", "again")]),
    ).toEqual({
      shape: ["user: hi", "assistant: call c1", "result c1"],
      losses: ['dropped /messages/1 a result for "zz"', 'dropped /messages/4 a result for "c1"'],
    });
  });
  test("empty and repeated ids become distinct, and results follow them", () => {
    expect(run([user("hi"), answer([call(""), call("")]), result("", "1"), result("", "2")]).shape).toEqual([
      "user: hi",
      "assistant: call call_1, call call_2",
      "result call_1",
      "result call_2",
    ]);
    expect(run([user("hi"), answer([call("c")]), result("c"), answer([call("c")]), result("c")])).toEqual({
      shape: ["user: hi", "assistant: call c", "result c", "assistant: call c_2", "result c_2"],
      losses: ['approximated /messages/3/content/0/id the tool id "c", used before'],
    });
  });
  test("a result has the name of its call, whatever it says or does not say", () => {
    const named = (toolName: string) => [user("hi"), answer([call("c1")]), { ...result("c1"), toolName }];
    const losses: Loss[] = [];
    const sent = (toolName: string) => sentMessages(named(toolName), target, (loss) => losses.push(loss))[2];
    expect(sent("exec")).toMatchObject({ toolCallId: "c1", toolName: "read" });
    expect(sent("")).toMatchObject({ toolCallId: "c1", toolName: "read" });
    expect(losses).toEqual([
      {
        at: "/messages/2/toolName",
        what: 'the tool name "exec"',
        why: 'it answers a call of "read", and providers require that name',
        severity: "approximated",
      },
    ]);
  });
  test("long ids that differ only at their end stay distinct", () => {
    const [a, b] = ["toolu_0123456789abcdefA", "toolu_0123456789abcdefB"];
    const { shape } = run([user("hi"), answer([call(a), call(b)]), result(a), result(b)]);
    const ids = shape[1]?.match(/toolu\S+?(?=,|$)/g) ?? [];
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => id.length <= 16)).toBe(true);
    expect(shape.slice(2)).toEqual(ids.map((id) => `result ${id}`));
  });
});

describe("what a model cannot take", () => {
  test("half an answer, and the results of its calls", () => {
    expect(
      run([user("hi"), answer([call("c1")], { stopReason: "aborted" }), result("c1"), user("again")]),
    ).toEqual({
      shape: ["user: hi", "user: again"],
      losses: [
        'dropped /messages/1 an answer that ended in "aborted"',
        'dropped /messages/2 a result for "c1"',
      ],
    });
  });
  test("thinking: signed goes back to its model untouched, all else is sent as text", () => {
    const thoughts = answer([
      { type: "thinking", thinking: "", thinkingSignature: "s" },
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "x", textSignature: "t" },
    ]);
    expect(run([user("hi"), thoughts]).shape).toEqual(["user: hi", "assistant: thinking, hm\n\n, x"]);
    expect(run([user("hi"), thoughts], { model: "other" })).toEqual({
      shape: ["user: hi", "assistant: hm\n\n, x"],
      losses: [
        "dropped /messages/1/content/0 thinking without text",
        "approximated /messages/1/content/1 thinking",
        "dropped /messages/1/content/2/textSignature a signature",
      ],
    });
  });
  test("images: one placeholder for a run of them", () => {
    const image = { type: "image" as const, url: "https://x.test/a.png" };
    const seen: AgentMessage = {
      role: "user",
      content: [image, image, { type: "text", text: "what?" }],
      timestamp: 1,
    };
    expect(run([seen], { images: false }).shape).toEqual([
      "user: [image: this model cannot see images], what?",
    ]);
  });
  test("files: only URLs that the provider can fetch are sent", () => {
    const sent: AgentMessage = {
      role: "user",
      content: [
        { type: "file", url: "https://x.test/a.txt", name: "a.txt" },
        { type: "file", url: "file-def", name: "b.txt" },
        { type: "file", url: "sandbox:/c.txt", name: "c.txt" },
      ],
      timestamp: 1,
    };
    const media = { ...rules.media, user: { file: ["text/*"] } };
    expect(run([sent], { rules: { ...rules, media } })).toEqual({
      shape: [
        "user: file, [file left out: its URL has no scheme], [file left out: this API does not fetch sandbox: URLs]",
      ],
      losses: ["dropped /messages/0/content/1 a file", "dropped /messages/0/content/2 a file"],
    });
  });
  test("blank text, half characters, items of other providers", () => {
    const { shape, losses } = run([
      user("a\ud800b"),
      answer([
        { type: "text", text: " " },
        { type: "opaque", dialect: "other", value: {} },
        { type: "text", text: "x" },
      ]),
      user(" "),
    ]);
    expect(shape).toEqual(["user: ab", "assistant: x"]);
    expect(losses).toEqual([
      "approximated /messages/0/content/0 half a character",
      "dropped /messages/1/content/0 a blank text block",
      "dropped /messages/1/content/1 an item of other",
      "dropped /messages/2/content/0 a blank text block",
      "dropped /messages/2 an empty user message",
    ]);
  });
  test("a beginning without a user", () => {
    expect(run([answer([{ type: "text", text: "x" }])]).shape).toEqual([
      "user: (the conversation begins here)",
      "assistant: x",
    ]);
  });
});

describe("what else a conversation holds", () => {
  test("a compaction stands for what it summarises", () => {
    const compaction: AgentMessage = {
      role: "compaction",
      summary: "They met.",
      firstKeptId: "k",
      timestamp: 5,
    };
    const kept: AgentMessage = { role: "user", content: "kept", id: "k", timestamp: 4 };
    expect(run([user("old"), kept, compaction, user("fresh")]).shape).toEqual([
      "user: Summary of the conversation so far:\n\nThey met.",
      "user: kept",
      "user: fresh",
    ]);
  });
  test("status lines, errors and sessions are not for the model; agents' words are", () => {
    expect(
      run([
        { role: "session", timestamp: 0 },
        user("hi"),
        { role: "status", state: "busy", timestamp: 0 },
        { role: "error", content: "no", timestamp: 0 },
        { role: "agentComplete", agentId: "a1", result: { ok: true }, timestamp: 0 },
        { role: "custom", customType: "x", content: "note", timestamp: 0 },
        { role: "custom", customType: "x", data: 1, timestamp: 0 },
      ]).shape,
    ).toEqual([
      "user: hi",
      'user: An agent has finished (as JSON): {"agent":"a1","result":{"ok":true}}',
      'user: A program adds (as JSON): {"type":"x","text":"note"}',
    ]);
  });
});
