import type { JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  Loss,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { notesOf } from "./notes.js";
import { writeAnswerBlock, writeGivenBlock } from "./parts.js";
import { sharesTurn } from "./turns.js";
import type { ToolResultBlock } from "./wire.js";

/** A wire message to which further content may be added. */
export interface WireMessage {
  role: "user" | "assistant" | "system";
  content: string | JsonObject[];
  /** Its other fields. */
  note: unknown;
}

type Report = (loss: Loss) => void;

/** The messages of a request. Messages with a role that the API does not have are left out. */
export function writeMessages(messages: readonly AgentMessage[], report: Report): WireMessage[] {
  const written: WireMessage[] = [];
  let last: AgentMessage | undefined;
  for (const [index, message] of messages.entries()) {
    const at = `/messages/${index}`;
    const next = writeMessage(message, at, report);
    if (next === undefined) continue;
    if (isEmptied(message, next)) {
      const why = "none of its content can be sent, and the API rejects empty messages";
      report({ at, what: `the ${message.role} message`, why, severity: "dropped" });
      continue;
    }
    const open = written.at(-1);
    if (open?.role === "user" && next.role === "user" && staysOpen(last, message)) {
      open.content = blocksOf(open.content);
      open.content.push(...blocksOf(next.content));
    } else written.push(next);
    last = message;
  }
  return written;
}

function isEmptied(message: AgentMessage, { content }: WireMessage): boolean {
  const isEmpty = typeof content === "object" && content.length === 0;
  return isEmpty && "content" in message && message.content?.length !== 0;
}

function staysOpen(last: AgentMessage | undefined, next: AgentMessage): boolean {
  const { turn } = notesOf(next);
  return turn === "same" || (turn !== "new" && sharesTurn(last, next));
}

function writeMessage(message: AgentMessage, at: string, report: Report): WireMessage | undefined {
  const { message: note } = notesOf(message);
  switch (message.role) {
    case "user":
    case "system":
      return { role: message.role, content: writeContent(message.content, at, report), note };
    case "assistant":
      return { role: "assistant", content: writeAnswer(message, at, report), note };
    case "toolResult":
      return { role: "user", content: [writeResult(message, at, report)], note };
    default:
      return undefined;
  }
}

function writeAnswer(message: AssistantMessage, at: string, report: Report): WireMessage["content"] {
  const [first, ...others] = message.content;
  const isText = first?.type === "text" && first.ext === undefined && others.length === 0;
  if (isText && notesOf(message)["content"] === "string") return first.text;
  return writeBlocks(message.content, writeAnswerBlock, at, report);
}

function writeContent(content: UserMessage["content"], at: string, report: Report): WireMessage["content"] {
  return typeof content === "string" ? content : writeBlocks(content, writeGivenBlock, at, report);
}

function writeResult(message: ToolResultMessage, at: string, report: Report): JsonObject {
  const note = notesOf(message);
  const plain: ToolResultBlock = {
    type: "tool_result",
    tool_use_id: message.toolCallId,
    ...(message.isError ? { is_error: true } : {}),
  };
  const blocks = writeBlocks(message.content, writeGivenBlock, at, report);
  const [first, ...others] = message.content;
  const isText = first?.type === "text" && first.ext === undefined && others.length === 0;
  if (isText && note["content"] === "string") return restore({ ...plain, content: first.text }, note);
  const content = blocks.length > 0 || note["content"] === "array" ? { content: blocks } : {};
  return restore({ ...plain, ...content }, note);
}

function writeBlocks<B extends UserContent | AssistantContent>(
  content: readonly B[],
  write: (block: B) => JsonObject | undefined,
  at: string,
  report: Report,
): JsonObject[] {
  return content.flatMap((block, index) => {
    const wire = write(block);
    if (wire !== undefined) return [wire];
    const what = block.type === "opaque" ? `an item of ${block.dialect}` : `the ${block.type}`;
    report({ at: `${at}/content/${index}`, what, why: "this API does not accept it", severity: "dropped" });
    return [];
  });
}

export function blocksOf(content: WireMessage["content"]): JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

export function closeMessage({ role, content, note }: WireMessage): JsonObject {
  return restore({ role, content }, note);
}
