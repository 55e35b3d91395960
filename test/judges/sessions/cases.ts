import type { AgentMessage, AssistantMessage, Usage } from "../../../src/core/types.js";

/** A piece of a conversation that a program must send to its model. */
export type Piece =
  | { type: "user"; text: string }
  | { type: "answer"; text: string }
  /** Programs send the summary of a compaction as a prompt, or as an answer. */
  | { type: "summary"; text: string }
  | { type: "call"; name: string; arguments: Record<string, unknown> }
  | { type: "result"; text: string; image?: string };

/** A session to continue, and what the model must be sent, in this order. */
export interface Case {
  name: string;
  messages: readonly AgentMessage[];
  expected: readonly Piece[];
  /** What the model must not be sent. */
  absent?: readonly string[];
  /** What the model of a program without compactions must be sent instead. */
  uncompacted?: readonly Piece[];
}

const START = Date.UTC(2026, 2, 2, 9);
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const usage: Usage = { input: 90, output: 12, cacheRead: 0, cacheWrite: 0, totalTokens: 102, cost };

/** A red square of one pixel. */
const IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

function session(messages: readonly AgentMessage[]): AgentMessage[] {
  const timed = messages.map((message, index) => ({ ...message, timestamp: START + index * 1000 }));
  return [{ role: "session", id: "judged", timestamp: START }, ...timed];
}

function user(text: string, id?: string): AgentMessage {
  return { role: "user", content: text, timestamp: 0, ...(id === undefined ? {} : { id }) };
}

function answer(content: AssistantMessage["content"], id?: string): AgentMessage {
  const isCall = content.some(({ type }) => type === "toolCall");
  return {
    role: "assistant",
    content,
    api: "openai-completions",
    provider: "deepseek",
    model: "deepseek-v4",
    usage,
    stopReason: isCall ? "toolUse" : "stop",
    timestamp: 0,
    ...(id === undefined ? {} : { id }),
  };
}

const text = (value: string) => ({ type: "text", text: value }) as const;
const call = (id: string, name: string, args: Record<string, unknown>) =>
  ({ type: "toolCall", id, name, arguments: args }) as const;

function result(toolCallId: string, toolName: string, value: string, extra: object = {}): AgentMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName,
    content: [text(value)],
    isError: false,
    timestamp: 0,
    ...extra,
  };
}

export const cases: readonly Case[] = [
  {
    name: "text",
    messages: session([
      user("Name a bird. — größer als 10 cm, 日本語 too."),
      answer([text("The heron, 4817.")]),
      user("Name a mammal.\n\n```sh\necho '$HOME'\n```"),
      answer([text("The otter, 2953.")]),
    ]),
    expected: [
      { type: "user", text: "Name a bird. — größer als 10 cm, 日本語 too." },
      { type: "answer", text: "The heron, 4817." },
      { type: "user", text: "Name a mammal.\n\n```sh\necho '$HOME'\n```" },
      { type: "answer", text: "The otter, 2953." },
    ],
  },
  {
    name: "parallel calls",
    messages: session([
      user("Look up both."),
      answer([
        text("I look up both."),
        call("call_1", "lookup_bird", { name: "heron", depth: 2 }),
        call("call_2", "lookup_mammal", { name: "otter", tags: ["a", "b"] }),
      ]),
      result("call_1", "lookup_bird", "heron: 4817"),
      result("call_2", "lookup_mammal", "otter: 2953"),
      answer([text("Both are known.")]),
    ]),
    expected: [
      { type: "user", text: "Look up both." },
      { type: "answer", text: "I look up both." },
      { type: "call", name: "lookup_bird", arguments: { name: "heron", depth: 2 } },
      { type: "call", name: "lookup_mammal", arguments: { name: "otter", tags: ["a", "b"] } },
      { type: "result", text: "heron: 4817" },
      { type: "result", text: "otter: 2953" },
      { type: "answer", text: "Both are known." },
    ],
  },
  {
    name: "images and errors",
    messages: session([
      user("Show the picture."),
      answer([call("call_1", "show", { file: "red.png" })]),
      result("call_1", "show", "one pixel", {
        content: [text("one pixel"), { type: "image", data: IMAGE, mimeType: "image/png" }],
      }),
      answer([call("call_2", "show", { file: "blue.png" })]),
      result("call_2", "show", "blue.png was not found", { isError: true }),
      answer([text("Only the red one exists.")]),
    ]),
    expected: [
      { type: "user", text: "Show the picture." },
      { type: "call", name: "show", arguments: { file: "red.png" } },
      { type: "result", text: "one pixel", image: IMAGE },
      { type: "call", name: "show", arguments: { file: "blue.png" } },
      { type: "result", text: "blue.png was not found" },
      { type: "answer", text: "Only the red one exists." },
    ],
  },
  {
    name: "thinking",
    messages: session([
      user("Think first."),
      answer([
        { type: "thinking", thinking: "A heron is a bird.", thinkingSignature: "reasoning_content" },
        text("The heron."),
      ]),
      user("And again."),
      answer([{ type: "thinking", thinking: "An otter is a mammal." }, text("The otter.")]),
    ]),
    expected: [
      { type: "user", text: "Think first." },
      { type: "answer", text: "The heron." },
      { type: "user", text: "And again." },
      { type: "answer", text: "The otter." },
    ],
  },
  {
    name: "compaction",
    messages: session([
      user("Name a bird.", "u1"),
      answer([text("The heron, 4817.")], "a1"),
      { role: "compaction", summary: "A bird was named: the heron.", timestamp: 0, id: "c1" },
      user("Name a mammal.", "u2"),
      answer([text("The otter, 2953.")], "a2"),
    ]),
    expected: [
      { type: "summary", text: "A bird was named: the heron." },
      { type: "user", text: "Name a mammal." },
      { type: "answer", text: "The otter, 2953." },
    ],
    absent: ["The heron, 4817."],
    uncompacted: [
      { type: "user", text: "Name a bird." },
      { type: "answer", text: "The heron, 4817." },
      { type: "user", text: "Name a mammal." },
      { type: "answer", text: "The otter, 2953." },
    ],
  },
  {
    name: "unusual ids",
    messages: session([
      user("Look it up.", "../../ü 1"),
      answer([call("fn/α:1 $(x)|y", "lookup", { step: 1 })], "msg_../2"),
      result("fn/α:1 $(x)|y", "lookup", "heron: 4817", { id: "3\u0000;" }),
      answer([text("It is known.")], `${"long".repeat(60)}`),
    ]),
    expected: [
      { type: "user", text: "Look it up." },
      { type: "call", name: "lookup", arguments: { step: 1 } },
      { type: "result", text: "heron: 4817" },
      { type: "answer", text: "It is known." },
    ],
  },
];
