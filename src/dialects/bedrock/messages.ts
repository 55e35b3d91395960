import type { JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import type {
  AgentMessage,
  AssistantContent,
  Loss,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { notesOf } from "./notes.js";
import { writeAnswerBlock, writeGivenBlock } from "./parts.js";
import { sideOf } from "./turns.js";
import { objectIn, type ToolResult } from "./wire.js";

/** A wire message to which further content may be added. */
export interface WireMessage {
  role: "user" | "assistant" | "system";
  content: JsonObject[];
  /** Its other fields. */
  note: unknown;
}

type Report = (loss: Loss) => void;

/**
 * The messages of a request. The roles alternate, so consecutive messages with one role are merged, unless they were
 * separate in the request that was read. Messages that are not for a model are left out.
 */
export function writeMessages(messages: readonly AgentMessage[], report: Report): WireMessage[] {
  const written: WireMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `/messages/${index}`;
    const role = sideOf(message);
    if (role === undefined) continue;
    const content = contentOf(message, at, report);
    const { message: note, turn } = notesOf(message);
    if (content.length === 0 && !isEmpty(message)) {
      const why = "none of its content can be sent, and the API rejects empty messages";
      report({ at, what: `the ${message.role} message`, why, severity: "dropped" });
      continue;
    }
    const last = written.at(-1);
    if (last?.role !== role || turn === "new") written.push({ role, content, note });
    else for (const block of content) last.content.push(block);
  }
  return written;
}

function isEmpty(message: AgentMessage): boolean {
  return "content" in message && message.content?.length === 0;
}

function contentOf(message: AgentMessage, at: string, report: Report): JsonObject[] {
  switch (message.role) {
    case "user":
    case "system":
      return writeContent(message.content, at, report);
    case "assistant":
      return writeBlocks(message.content, writeAnswerBlock, at, report);
    case "toolResult":
      return [{ toolResult: writeResult(message, at, report) }];
    default:
      return [];
  }
}

function writeContent(content: UserMessage["content"], at: string, report: Report): JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ text: content }];
  return writeBlocks(content, writeGivenBlock, at, report);
}

function writeResult(message: ToolResultMessage, at: string, report: Report): JsonObject {
  const plain: ToolResult = {
    toolUseId: message.toolCallId,
    content: writeBlocks(message.content, writeGivenBlock, at, report),
    ...(message.isError ? { status: "error" } : {}),
  };
  return restore(plain, notesOf(message));
}

function writeBlocks<B extends UserContent | AssistantContent>(
  content: readonly B[],
  write: (block: B) => JsonObject | undefined,
  at: string,
  report: Report,
): JsonObject[] {
  return content.flatMap((block, index) => {
    const wire = write(block);
    const name = objectIn(wire, "document")?.["name"];
    if (
      block.type === "file" &&
      block.name !== undefined &&
      typeof name === "string" &&
      name !== block.name
    ) {
      const why = `this API allows only some characters in it; "${name}" is sent`;
      const what = `the file name "${block.name}"`;
      report({ at: `${at}/content/${index}/name`, what, why, severity: "approximated" });
    }
    if (wire !== undefined) return [wire];
    const what = block.type === "opaque" ? `an item of ${block.dialect}` : `the ${block.type}`;
    report({ at: `${at}/content/${index}`, what, why: "this API does not accept it", severity: "dropped" });
    return [];
  });
}

export function closeMessage({ role, content, note }: WireMessage): JsonObject {
  return restore({ role, content }, note);
}
