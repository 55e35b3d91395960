import type { AgentMessage, AssistantMessage, ToolResultMessage, UserMessage } from "dragoman";
import { sourceText } from "./source-text.js";

const START = Date.UTC(2025, 0, 6, 9);

/**
 * An endless conversation as with a coding agent: questions, thinking, tool calls and answers of 0.3 to 8 KB, with this
 * number of calls for each question.
 */
export function* transcript(calls = 1): Generator<AgentMessage> {
  for (let turn = 0; ; turn++) {
    const timestamp = START + turn * 60_000;
    const callId = `toolu_${String(turn).padStart(12, "0")}`;
    if (turn % calls === 0) yield user(turn, timestamp);
    yield call(turn, callId, timestamp + 4_000);
    yield result(turn, callId, timestamp + 5_000);
    if (turn % calls === calls - 1) yield answer(turn, timestamp + 9_000);
  }
}

export function firstMessages(count: number): AgentMessage[] {
  const messages: AgentMessage[] = [];
  for (const message of transcript()) {
    if (messages.length === count) break;
    messages.push(message);
  }
  return messages;
}

function user(turn: number, timestamp: number): UserMessage {
  const text = `Please look at module ${turn} and tell me what “load” does with an empty file. ${prose(200 + (turn % 5) * 150)}`;
  return { role: "user", content: turn % 3 === 0 ? text : [{ type: "text", text }], timestamp };
}

function call(turn: number, id: string, timestamp: number): AssistantMessage {
  const thinking = prose(300 + (turn % 7) * 100);
  const args = { path: `src/module-${turn}.ts`, offset: turn % 400, limit: 200, exact: turn % 2 === 0 };
  return {
    ...assistant(turn, timestamp),
    content: [
      { type: "thinking", thinking, thinkingSignature: "EqQBCkYIBxgCKkBd3f".repeat(6) },
      { type: "text", text: "I read the file first." },
      { type: "toolCall", id, name: "read", arguments: args },
    ],
    stopReason: "toolUse",
  };
}

function result(turn: number, toolCallId: string, timestamp: number): ToolResultMessage {
  const text = sourceText(500 + (turn % 11) * 700);
  return {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text }],
    details: { truncated: false, lines: turn % 400 },
    isError: false,
    timestamp,
  };
}

function answer(turn: number, timestamp: number): AssistantMessage {
  const text = `It throws, and names the file.\n\n\`\`\`ts\n${sourceText(400 + (turn % 6) * 300)}\n\`\`\`\n`;
  return { ...assistant(turn, timestamp), content: [{ type: "text", text }], stopReason: "stop" };
}

function assistant(turn: number, timestamp: number): AssistantMessage {
  const output = 200 + (turn % 900);
  return {
    role: "assistant",
    content: [],
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    usage: {
      input: 12,
      output,
      cacheRead: 20_000 + turn,
      cacheWrite: 900,
      totalTokens: 20_912 + turn + output,
      cost: { input: 0.000036, output: 0.0042, cacheRead: 0.006, cacheWrite: 0.003375, total: 0.013611 },
    },
    stopReason: "stop",
    timestamp,
  };
}

function prose(length: number): string {
  return "The file is read as a whole — naïve, but it is small — and parsed once. ".repeat(
    Math.ceil(length / 72),
  );
}
