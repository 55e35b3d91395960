import type { AgentMessage, AssistantMessage, ToolResultMessage } from "dragoman";
import { transcript } from "./transcript.js";

/** For each prompt. Tool results are then more than two thirds of a file, as in recorded sessions. */
const CALLS = 5;
/** Every N turns, the user edits a prompt, which leaves the first version on a branch of its own. */
const EDIT_INTERVAL = 50;
const ATTACHMENT_INTERVAL = 8;
const SESSION = "a0000000-0000-4000-8000-000000000000";

/** An endless Claude Code session: a tree of lines, with snapshots, attachments and durations between the messages. */
export function* claudeCodeLines(): Generator<object> {
  const tree = new Tree();
  let turn = 0;
  for (const message of transcript(CALLS)) {
    switch (message.role) {
      case "user":
        yield* prompt(tree, message, turn);
        break;
      case "assistant":
        yield* answer(tree, message);
        if (message.stopReason === "stop") yield* endOfTurn(tree, message, turn++);
        break;
      case "toolResult":
        yield tree.line(message, "user", resultFields(message));
        break;
      default:
        break;
    }
  }
}

/** Numbers the lines and links each to the one before. */
class Tree {
  #count = 0;
  #parent: string | null = null;

  line({ timestamp }: AgentMessage, type: string, fields: object): object {
    const parentUuid = this.#parent;
    this.#parent = uuid(this.#count++);
    return {
      parentUuid,
      isSidechain: false,
      userType: "external",
      cwd: "/home/user/project",
      sessionId: SESSION,
      version: "2.1.325",
      gitBranch: "main",
      type,
      ...fields,
      uuid: this.#parent,
      timestamp: new Date(timestamp).toISOString(),
    };
  }

  /** The last line. */
  get leaf(): string | null {
    return this.#parent;
  }

  /** A line that the next one does not follow. */
  abandoned(message: AgentMessage, type: string, fields: object): object {
    const parent = this.#parent;
    const line = this.line(message, type, fields);
    this.#parent = parent;
    return line;
  }
}

function uuid(number: number): string {
  return `b0000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

function* prompt(tree: Tree, message: Extract<AgentMessage, { role: "user" }>, turn: number) {
  const { content } = message;
  yield {
    type: "file-history-snapshot",
    messageId: uuid(turn),
    snapshot: {
      messageId: uuid(turn),
      trackedFileBackups: {},
      timestamp: new Date(message.timestamp).toISOString(),
    },
    isSnapshotUpdate: false,
  };
  const fields = { message: { role: "user", content }, promptId: uuid(turn), permissionMode: "default" };
  if (turn % EDIT_INTERVAL === EDIT_INTERVAL - 1) yield tree.abandoned(message, "user", fields);
  yield tree.line(message, "user", fields);
  if (turn % ATTACHMENT_INTERVAL > 0) return;
  const tokens = `<system-reminder>Token usage: ${turn}/200000</system-reminder>`;
  yield tree.line(message, "attachment", {
    attachment: { type: "total_tokens_reminder", used: turn, total: 200_000 },
    rendered: [{ content: tokens }],
    renderedRole: "system",
  });
}

/** One line for each block, all with the same message id and usage. */
function* answer(tree: Tree, message: AssistantMessage) {
  const id = `msg_${message.timestamp}`;
  const { input, output, cacheRead, cacheWrite } = message.usage;
  for (const block of message.content) {
    yield tree.line(message, "assistant", {
      message: {
        id,
        type: "message",
        role: "assistant",
        model: message.model,
        content: [wireBlock(block)],
        stop_reason: message.stopReason === "stop" ? "end_turn" : "tool_use",
        stop_sequence: null,
        usage: {
          input_tokens: input,
          cache_creation_input_tokens: cacheWrite,
          cache_read_input_tokens: cacheRead,
          cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
          output_tokens: output,
          service_tier: "standard",
        },
      },
      requestId: `req_${message.timestamp}`,
    });
  }
}

function wireBlock(block: AssistantMessage["content"][number]): object {
  switch (block.type) {
    case "thinking":
      return { type: "thinking", thinking: block.thinking, signature: block.thinkingSignature };
    case "toolCall":
      return { type: "tool_use", id: block.id, name: "Read", input: block.arguments };
    default:
      return block;
  }
}

/** The result for the model, and the tool's own structure, which has the text again. */
function resultFields({ toolCallId, content }: ToolResultMessage): object {
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const numLines = text.split("\n").length;
  const file = { filePath: "/home/user/project/src/module.ts", content: text, numLines, startLine: 1 };
  return {
    message: {
      role: "user",
      content: [{ tool_use_id: toolCallId, type: "tool_result", content: text }],
    },
    toolUseResult: { type: "text", file: { ...file, totalLines: numLines } },
  };
}

function* endOfTurn(tree: Tree, message: AgentMessage, turn: number) {
  yield tree.line(message, "system", {
    subtype: "turn_duration",
    durationMs: 9000 + turn,
    isMeta: false,
  });
  yield { type: "last-prompt", lastPrompt: `module ${turn}`, leafUuid: tree.leaf, sessionId: SESSION };
  yield { type: "queue-operation", operation: "enqueue", content: `module ${turn + 1}`, sessionId: SESSION };
}
