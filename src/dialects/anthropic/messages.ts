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

/** A message of the wire, still open to what belongs into it. */
export interface WireMessage {
  role: "user" | "assistant" | "system";
  content: string | JsonObject[];
  /** What it says beside that. */
  note: unknown;
}

type Report = (loss: Loss) => void;

/** The messages of a request; those of roles that the API does not have are left out. */
export function writeMessages(messages: readonly AgentMessage[], report: Report): WireMessage[] {
  const written: WireMessage[] = [];
  let last: AgentMessage | undefined;
  for (const [index, message] of messages.entries()) {
    const at = `/messages/${index}`;
    const next = writeMessage(message, at, report);
    if (next === undefined) continue;
    if (isEmptied(message, next)) {
      const why = "nothing is left of it, and the API rejects empty messages";
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
      return { role: message.role, content: given(message.content, at, report), note };
    case "assistant":
      return { role: "assistant", content: answer(message, at, report), note };
    case "toolResult":
      return { role: "user", content: [result(message, at, report)], note };
    default:
      return undefined;
  }
}

function answer(message: AssistantMessage, at: string, report: Report): WireMessage["content"] {
  const [first, ...others] = message.content;
  const isText = first?.type === "text" && first.ext === undefined && others.length === 0;
  if (isText && notesOf(message)["content"] === "string") return first.text;
  return written(message.content, writeAnswerBlock, at, report);
}

function given(content: UserMessage["content"], at: string, report: Report): WireMessage["content"] {
  return typeof content === "string" ? content : written(content, writeGivenBlock, at, report);
}

function result(message: ToolResultMessage, at: string, report: Report): JsonObject {
  const note = notesOf(message);
  const plain: ToolResultBlock = {
    type: "tool_result",
    tool_use_id: message.toolCallId,
    ...(message.isError ? { is_error: true } : {}),
  };
  const blocks = written(message.content, writeGivenBlock, at, report);
  const [first, ...others] = message.content;
  const isText = first?.type === "text" && first.ext === undefined && others.length === 0;
  if (isText && note["content"] === "string") return restore({ ...plain, content: first.text }, note);
  const said = blocks.length > 0 || note["content"] === "array" ? { content: blocks } : {};
  return restore({ ...plain, ...said }, note);
}

function written<B extends UserContent | AssistantContent>(
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

/** As it is sent. */
export function closed({ role, content, note }: WireMessage): JsonObject {
  return restore({ role, content }, note);
}
