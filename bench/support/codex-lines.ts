import type { AgentMessage, AssistantMessage, ToolResultMessage, UserMessage } from "dragoman";
import { transcript } from "./transcript.js";

/** For each prompt. Tool results are then more than two thirds of a file, as in recorded sessions. */
const CALLS = 5;

/** An endless Codex session: response items, and the events and settings that Codex writes between them. */
export function* codexLines(): Generator<object> {
  yield line(Date.UTC(2025, 0, 6, 9), "session_meta", {
    id: "b0000000-0000-4000-8000-000000000000",
    timestamp: "2025-01-06T09:00:00.000Z",
    cwd: "/home/user/project",
    originator: "codex_cli_rs",
    cli_version: "0.166.0",
    source: "cli",
    git: { commit_hash: "b0b0b0b0", branch: "main" },
  });
  let turn = 0;
  for (const message of transcript(CALLS)) {
    switch (message.role) {
      case "user":
        yield* prompt(message, turn);
        break;
      case "assistant":
        yield* answer(message);
        if (message.stopReason === "stop") yield endOfTurn(message, turn++);
        break;
      case "toolResult":
        yield result(message);
        break;
      default:
        break;
    }
  }
}

function line(timestamp: number, type: string, payload: object): object {
  return { timestamp: new Date(timestamp).toISOString(), type, payload };
}

function* prompt(message: UserMessage, turn: number) {
  const { timestamp } = message;
  const text = textOf(message);
  yield line(timestamp, "event_msg", {
    type: "task_started",
    turn_id: `turn-${turn}`,
    model_context_window: 272_000,
  });
  yield line(timestamp, "turn_context", {
    turn_id: `turn-${turn}`,
    cwd: "/home/user/project",
    approval_policy: "on-request",
    sandbox_policy: { type: "workspace-write", network_access: false },
    model: "gpt-5.2-codex",
    effort: "medium",
    summary: "auto",
  });
  yield line(timestamp, "response_item", {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text }],
  });
  yield line(timestamp, "event_msg", { type: "user_message", message: text, images: [], kind: "plain" });
}

/** Texts and reasoning are stored twice: as an item, and as an event. */
function* answer({ content, timestamp, usage }: AssistantMessage) {
  for (const block of content) {
    switch (block.type) {
      case "thinking":
        yield line(timestamp, "event_msg", { type: "agent_reasoning", text: block.thinking });
        yield line(timestamp, "response_item", {
          type: "reasoning",
          summary: [{ type: "summary_text", text: block.thinking }],
          content: null,
          encrypted_content: block.thinkingSignature?.repeat(8),
        });
        break;
      case "toolCall":
        yield line(timestamp, "response_item", {
          type: "function_call",
          name: "read_file",
          arguments: JSON.stringify(block.arguments),
          call_id: block.id,
        });
        break;
      case "text":
        yield line(timestamp, "event_msg", { type: "agent_message", message: block.text });
        yield line(timestamp, "response_item", {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: block.text }],
        });
        break;
      default:
        break;
    }
  }
  const tokens = {
    input_tokens: usage.input + usage.cacheRead,
    cached_input_tokens: usage.cacheRead,
    output_tokens: usage.output,
    reasoning_output_tokens: 64,
    total_tokens: usage.input + usage.cacheRead + usage.output,
  };
  yield line(timestamp, "event_msg", {
    type: "token_count",
    info: { total_token_usage: tokens, last_token_usage: tokens, model_context_window: 272_000 },
    rate_limits: { primary: { used_percent: 4, window_minutes: 300, resets_in_seconds: 9000 } },
  });
}

/** Twice as long as in the transcript: Codex's tools are shell commands, and their outputs are longer. */
function result(message: ToolResultMessage): object {
  const { toolCallId, timestamp } = message;
  return line(timestamp, "response_item", {
    type: "function_call_output",
    call_id: toolCallId,
    output: textOf(message).repeat(2),
  });
}

function endOfTurn({ timestamp }: AgentMessage, turn: number): object {
  return line(timestamp, "event_msg", { type: "task_complete", turn_id: `turn-${turn}` });
}

function textOf({ content }: UserMessage | ToolResultMessage): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
