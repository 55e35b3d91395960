import type { JsonRecord } from "../../core/dialect.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { restore } from "../../core/records/deviation.js";
import { writeLeaf } from "../../core/records/leaf-record.js";
import type { AgentMessage, FileContent, SessionMessage, ToolResultMessage } from "../../core/types.js";
import { writeAttachment, writeBlock, writeFile } from "./blocks.js";
import { notesOf } from "./notes.js";
import { ROOT, textOf } from "./wire.js";

/** The messages of one record: an answer, the results of its calls and what it says next. */
export function joinsMessage(_last: AgentMessage, next: AgentMessage): boolean {
  return notesOf(next)["part"] === true;
}

/** Conversations are only written in their own dialect, so messages that it does not have are left out. */
export function encode(unit: readonly AgentMessage[]): JsonRecord[] {
  const [first] = unit;
  if (first === undefined) return [];
  const notes = notesOf(first);
  if (first.role === "session") {
    const beside = isObject(notes["record"]) ? notes["record"] : {};
    return [{ ...beside, conversation: restore(ourConversation(first), notes) }];
  }
  const leaf = writeLeaf(first);
  if (leaf !== undefined) return [leaf];
  const ours = ourMessage(unit);
  return ours === undefined ? [] : [restore(ours, notes)];
}

/** The conversation as we would write it, without its messages. */
export function ourConversation({ id, title, timestamp }: SessionMessage): JsonObject {
  return {
    ...(id === undefined ? {} : { uuid: id }),
    ...(title === undefined ? {} : { name: title }),
    ...timeField(timestamp),
  };
}

function timeField(timestamp: number): JsonObject {
  return timestamp === 0 ? {} : { created_at: new Date(timestamp).toISOString() };
}

/** The record of one or more messages as we would write it. */
export function ourMessage(unit: readonly AgentMessage[]): JsonObject | undefined {
  const [first] = unit;
  if (first?.role === "user") {
    const { content } = first;
    const all = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    const files = all.filter((block): block is FileContent => block.type === "file");
    return record(first, unit.at(-1)?.id, "human", all.flatMap(writeBlock), {
      attachments: files.filter(({ url }) => url === undefined).map(writeAttachment),
      files: files.filter(({ url }) => url !== undefined).map(writeFile),
    });
  }
  if (first?.role !== "assistant" && first?.role !== "toolResult") return undefined;
  const content = unit.flatMap((message): unknown[] => {
    if (message.role === "assistant") return message.content.flatMap(writeBlock);
    return message.role === "toolResult" ? [restore(ourResult(message), notesOf(message)["result"])] : [];
  });
  return record(first, unit.at(-1)?.id, "assistant", content, { attachments: [], files: [] });
}

function record(
  { parentId, timestamp }: AgentMessage,
  id: string | undefined,
  sender: string,
  content: unknown[],
  files: JsonObject,
): JsonObject {
  return {
    ...(id === undefined ? {} : { uuid: id }),
    text: textOf(content),
    content,
    sender,
    ...timeField(timestamp),
    ...(timestamp === 0 ? {} : { updated_at: new Date(timestamp).toISOString() }),
    ...files,
    ...(parentId === undefined ? {} : { parent_message_uuid: parentId ?? ROOT }),
  };
}

/** The block of a result as we would write it, without a name that was taken from the call. */
export function ourResult(message: ToolResultMessage): JsonObject {
  const { toolCallId, toolName, content, isError } = message;
  return {
    type: "tool_result",
    tool_use_id: toolCallId,
    name: isSynthesised(message, "/toolName") ? "" : toolName,
    content: content.flatMap(writeBlock),
    is_error: isError,
  };
}
