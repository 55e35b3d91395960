import type { AgentMessage, AssistantMessage, ToolResultMessage } from "dragoman/core";
import { expect, test } from "vitest";
import { itemsOf } from "./items.js";
import type { Part } from "./parts.js";

const usage = (tokens: number) => ({
  input: tokens,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: tokens,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: tokens / 1000 },
});

function answer(
  content: AssistantMessage["content"],
  more: Partial<AssistantMessage> = {},
): AssistantMessage {
  return {
    role: "assistant",
    content,
    api: "demo",
    provider: "demo",
    model: "echo",
    usage: usage(10),
    stopReason: "stop",
    timestamp: 1_000,
    ...more,
  };
}

const call = (id: string, name = "read") => ({
  type: "toolCall" as const,
  id,
  name,
  arguments: { path: "a" },
});

const result = (toolCallId: string, text: string, timestamp = 2_500): ToolResultMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text }],
  isError: false,
  timestamp,
});

const user = (content: string, sender?: string): AgentMessage => ({
  role: "user",
  content,
  timestamp: 1,
  ...(sender === undefined ? {} : { sender }),
});

function inShort(part: Part): string {
  switch (part.type) {
    case "piece":
      return part.piece.text;
    case "tool":
      return `${part.call.name} ${part.call.id} ${JSON.stringify(part.result?.content)} ${part.recordedMs}`;
    case "usage":
      return [
        `${part.usage.totalTokens} tokens of ${part.model}`,
        ...(part.stopped === undefined ? [] : [` (${part.stopped})`]),
        ...(part.fallback === undefined ? [] : [`, ${part.fallback}`]),
      ].join("");
    case "note":
      return `${part.tone}: ${part.title}${part.text === undefined ? "" : ` / ${part.text}`}`;
    case "json":
      return `${part.title} ${JSON.stringify(part.value)}`;
    case "thinking":
      return `thinks ${part.text}`;
    case "media":
      return part.block.type;
  }
}

function shown(messages: AgentMessage[]): string[][] {
  return itemsOf(messages).map(({ speaker, parts }) => [speaker?.name ?? "-", ...parts.map(inShort)]);
}

test("an answer with tools is one turn: calls with their results, one name above, the usage of all at the end", () => {
  const messages = [
    user("Hi"),
    answer([{ type: "thinking", thinking: "Hm" }, call("a"), call("b")], { stopReason: "toolUse" }),
    result("b", "2"),
    result("a", "1", 3_000),
    answer([{ type: "text", text: "Done." }], { timestamp: 4_000 }),
  ];
  expect(shown(messages)).toEqual([
    ["You", "Hi"],
    [
      "Assistant",
      "thinks Hm",
      'read a [{"type":"text","text":"1"}] 2000',
      'read b [{"type":"text","text":"2"}] undefined',
    ],
    ["-", "Done.", "20 tokens of demo/echo"],
  ]);
});

test("the usage names the models that failed before an answer, even if nothing was counted", () => {
  const fallbacks = [
    { model: "anthropic/claude", reason: "overload" },
    { model: "openai/gpt", reason: "rateLimit" },
  ];
  const usage = { ...answer([]).usage, totalTokens: 0 };
  expect(shown([answer([{ type: "text", text: "Hi" }], { usage, ext: { fallbacks } })])).toEqual([
    [
      "Assistant",
      "Hi",
      "0 tokens of demo/echo, instead of anthropic/claude (overloaded), openai/gpt (rate limited)",
    ],
  ]);
  // The log may have been written by another program.
  const odd = [{ model: 1 }, "x", { model: "a/b", reason: "?" }];
  expect(shown([answer([{ type: "text", text: "Hi" }], { ext: { fallbacks: odd } })])).toEqual([
    ["Assistant", "Hi", "10 tokens of demo/echo"],
  ]);
});

test("results go to the call before them that has none, also where ids repeat", () => {
  const twice = [answer([call("x"), call("x")]), result("x", "1"), result("x", "2", 2_600), result("x", "3")];
  expect(shown(twice)).toEqual([
    [
      "Assistant",
      'read x [{"type":"text","text":"1"}] 1500',
      'read x [{"type":"text","text":"2"}] 100',
      "10 tokens of demo/echo",
    ],
    ["-", 'read x [{"type":"text","text":"3"}] undefined'],
  ]);
});

test("a call without a result is there; a result without a call too", () => {
  expect(shown([result("gone", "1"), answer([call("a")])])).toEqual([
    ["-", 'read gone [{"type":"text","text":"1"}] undefined'],
    ["Assistant", "read a undefined undefined", "10 tokens of demo/echo"],
  ]);
});

test("whoever is named has a name; another agent begins another turn", () => {
  const messages = [
    user("Hi", "Ann"),
    answer([{ type: "text", text: "1" }], { sender: "scout" }),
    answer([{ type: "text", text: "2" }], { sender: "smith" }),
  ];
  expect(shown(messages).map(([name]) => name)).toEqual(["Ann", "scout", "smith"]);
  expect(itemsOf(messages).map(({ speaker }) => speaker?.colour)).toEqual([0, 5, 0]);
});

test("an error is told once, in plain words", () => {
  const failed = answer([], { stopReason: "error", errorMessage: "HTTP 429: slow", usage: usage(0) });
  expect(shown([failed])).toEqual([["-", "error: The provider's rate limit was reached / HTTP 429: slow"]]);
  expect(shown([answer([], { stopReason: "aborted", usage: usage(0) })])).toEqual([
    ["-", "0 tokens of demo/echo (aborted)"],
  ]);
  const told: AgentMessage = {
    role: "error",
    content: "HTTP 401: no",
    code: "provider/http",
    timestamp: 2,
  };
  expect(shown([failed, told])).toEqual([["-", "error: The provider rejected the API key / HTTP 401: no"]]);
});

test("what was cut short says so", () => {
  expect(shown([answer([{ type: "text", text: "I" }], { stopReason: "aborted", usage: usage(0) })])).toEqual([
    ["Assistant", "I", "0 tokens of demo/echo (aborted)"],
  ]);
});

const notes: [string, AgentMessage, string[][]][] = [
  ["session", { role: "session", timestamp: 1 }, []],
  ["system", { role: "system", content: "Be kind", timestamp: 1 }, [["-", "quiet: System prompt / Be kind"]]],
  [
    "status",
    { role: "status", state: "busy", detail: "Reads", sender: "scout", timestamp: 1 },
    [["-", "status: scout: Reads"]],
  ],
  [
    "compaction",
    { role: "compaction", summary: "S", timestamp: 1 },
    [["-", "quiet: Earlier messages were summarised for the model / S"]],
  ],
  [
    "agentComplete",
    { role: "agentComplete", agentId: "x", result: { a: 1 }, timestamp: 1 },
    [["-", 'x is done {"a":1}']],
  ],
  ["agentMessage", { role: "agentMessage", senderId: "x", payload: "Hello", timestamp: 1 }, [["x", "Hello"]]],
  ["custom", { role: "custom", customType: "chart", data: [1], timestamp: 1 }, [["-", "chart [1]"]]],
  [
    "renamed",
    { role: "custom", customType: "dragoman/meta", data: { title: "T", archived: true }, timestamp: 1 },
    [],
  ],
  [
    "another model",
    { role: "custom", customType: "dragoman/meta", data: { model: "demo/echo" }, timestamp: 1 },
    [["-", "quiet: From here on: demo/echo"]],
  ],
  [
    "losses",
    {
      role: "custom",
      customType: "dragoman/losses",
      data: {
        border: "request",
        target: "ollama/qwen3",
        losses: [
          {
            at: "/messages/0/content/1",
            what: "audio",
            why: "this API does not take it",
            severity: "dropped",
          },
          {
            at: "/messages/2",
            what: "a user message",
            why: "it must begin with one",
            severity: "synthesised",
          },
        ],
      },
      timestamp: 1,
    },
    [
      [
        "-",
        "quiet: Request to ollama/qwen3: left out audio (this API does not take it), and 1 more / - left out audio (this API does not take it)\n- added a user message (it must begin with one)",
      ],
    ],
  ],
  ["inbox", { role: "custom", customType: "dragoman/inbox", data: {}, timestamp: 1 }, []],
];

test.each(notes)("%s", (_, message, expected) => {
  expect(shown([message])).toEqual(expected);
});

test("opaque blocks are shown as they are", () => {
  const opaque = { type: "opaque" as const, dialect: "cline", value: { odd: true } };
  expect(shown([{ role: "user", content: [opaque], timestamp: 1 }])).toEqual([
    ["You", 'cline block {"odd":true}'],
  ]);
});

test("a transcript that grows keeps the items it had", () => {
  const messages = [user("1"), answer([call("a")], { stopReason: "toolUse" }), user("2")];
  const [one, two, three] = itemsOf(messages);
  const grown = itemsOf([user("0"), ...messages, result("a", "x")]);
  expect(grown[1]).toBe(one);
  expect(grown[2]).not.toBe(two);
  expect(grown[2]?.key).toBe(two?.key);
  expect(grown[3]).toBe(three);
});
