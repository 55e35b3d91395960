import type { AgentMessage } from "../core/types.js";

const usage = (input: number, output: number) => ({
  input,
  output,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: input + output,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
});

const model = { api: "anthropic-messages", provider: "anthropic", model: "claude-opus-4-6" };
const start = Date.UTC(2026, 0, 15, 9, 30);

/** The smallest conversation with thinking, text, a tool call and its result. */
export const sample: AgentMessage[] = [
  { role: "user", content: "What does greet.ts print?", timestamp: start },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "I should read the file first.", thinkingSignature: "c2lnbmF0dXJl" },
      { type: "text", text: "Let me look." },
      { type: "toolCall", id: "call_1", name: "read", arguments: { path: "src/greet.ts", lines: [1, 40] } },
    ],
    ...model,
    usage: usage(412, 58),
    stopReason: "toolUse",
    timestamp: start + 2000,
  },
  {
    role: "toolResult",
    toolCallId: "call_1",
    toolName: "read",
    content: [{ type: "text", text: 'console.log("Hello, world");' }],
    isError: false,
    timestamp: start + 2400,
  },
  {
    role: "assistant",
    content: [{ type: "text", text: "It prints “Hello, world”." }],
    ...model,
    usage: usage(498, 12),
    stopReason: "stop",
    timestamp: start + 4000,
  },
];
