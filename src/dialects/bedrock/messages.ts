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

/** A message of the wire, still open to what belongs into it. */
export interface WireMessage {
  role: "user" | "assistant" | "system";
  content: JsonObject[];
  /** Its further fields. */
  note: unknown;
}

type Report = (loss: Loss) => void;

/**
 * The messages of a request. Users and models alternate, so neighbours of one role are merged, unless they were apart
 * where they came from. Messages that are not for a model are left out.
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
      const why = "nothing is left of it, and the API rejects empty messages";
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
      return given(message.content, at, report);
    case "assistant":
      return written(message.content, writeAnswerBlock, at, report);
    case "toolResult":
      return [{ toolResult: result(message, at, report) }];
    default:
      return [];
  }
}

function given(content: UserMessage["content"], at: string, report: Report): JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ text: content }];
  return written(content, writeGivenBlock, at, report);
}

function result(message: ToolResultMessage, at: string, report: Report): JsonObject {
  const plain: ToolResult = {
    toolUseId: message.toolCallId,
    content: written(message.content, writeGivenBlock, at, report),
    ...(message.isError ? { status: "error" } : {}),
  };
  return restore(plain, notesOf(message));
}

function written<B extends UserContent | AssistantContent>(
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
      const why = `this API allows few characters in it; it is sent as "${name}"`;
      const what = `the file name "${block.name}"`;
      report({ at: `${at}/content/${index}/name`, what, why, severity: "approximated" });
    }
    if (wire !== undefined) return [wire];
    const what = block.type === "opaque" ? `an item of ${block.dialect}` : `the ${block.type}`;
    report({ at: `${at}/content/${index}`, what, why: "this API does not accept it", severity: "dropped" });
    return [];
  });
}

/** As it is sent. */
export function closed({ role, content, note }: WireMessage): JsonObject {
  return restore({ role, content }, note);
}
