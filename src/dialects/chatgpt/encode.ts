import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { restore } from "../../core/records/deviation.js";
import { writeLeaf } from "../../core/records/leaf-record.js";
import type {
  AgentMessage,
  AssistantContent,
  SessionMessage,
  ToolResultMessage,
  UserContent,
} from "../../core/types.js";
import { writeAlone, writeAttachments, writePart } from "./blocks.js";
import { writeCall, writeThoughts } from "./calls.js";
import { notesOf } from "./notes.js";
import { NAME } from "./wire.js";

/** Conversations are only written in their own dialect, so messages that it does not have are left out. */
export function encode(unit: readonly AgentMessage[]): JsonRecord[] {
  return unit.flatMap((message): JsonRecord[] => {
    const notes = notesOf(message);
    const beside = isObject(notes["record"]) ? notes["record"] : {};
    if (message.role === "session") {
      return [{ ...beside, conversation: restore(ourConversation(message), notes) }];
    }
    const leaf = writeLeaf(message);
    if (leaf !== undefined) return [leaf];
    const node = ourNode(message);
    if (node === undefined) return [];
    const { parentId } = message;
    const isAnswer = message.role === "toolResult";
    return [
      {
        ...beside,
        node: restore(node, notes),
        ...(parentId === undefined ? {} : { parent: parentId }),
        ...(isAnswer ? { isAnswer } : {}),
      },
    ];
  });
}

/** The conversation as we would write it, without its messages. */
export function ourConversation(session: SessionMessage): JsonObject {
  const { id, title, timestamp } = session;
  return {
    ...(title === undefined ? {} : { title }),
    ...(timestamp === 0 ? {} : { create_time: timestamp / 1000 }),
    mapping: {},
    ...(id === undefined ? {} : { conversation_id: id, id }),
  };
}

/** A node as we would write it, without its children. */
export function ourNode(message: AgentMessage): JsonObject | undefined {
  const { id, parentId = null, timestamp } = message;
  const written = writtenBy(message);
  if (written === undefined) return undefined;
  const { role, name = null, recipient = "all", content, metadata = {} } = written;
  const inner = {
    ...(id === undefined ? {} : { id }),
    author: { role, name, metadata: {} },
    create_time: timestamp === 0 ? null : timestamp / 1000,
    update_time: null,
    content,
    status: "finished_successfully",
    end_turn: null,
    weight: 1,
    metadata,
    recipient,
    channel: null,
  };
  return { ...(id === undefined ? {} : { id }), message: inner, parent: parentId };
}

interface Written {
  role: string;
  name?: string;
  recipient?: string;
  content: JsonObject;
  metadata?: JsonObject;
}

function writtenBy(message: AgentMessage): Written | undefined {
  switch (message.role) {
    case "user":
    case "system":
      return { role: message.role, ...parts(message.content) };
    case "toolResult":
      return { role: "tool", name: nameIn(message), ...parts(message.content) };
    case "assistant": {
      const { content, model } = message;
      const metadata = model === "" || isSynthesised(message, "/model") ? {} : { model_slug: model };
      const [first] = content;
      if (first?.type === "toolCall") {
        return { role: "assistant", recipient: first.name, content: writeCall(first), metadata };
      }
      const thoughts = content.filter((block) => block.type === "thinking");
      if (thoughts.length > 0) return { role: "assistant", content: writeThoughts(thoughts), metadata };
      const written = parts(content);
      return { role: "assistant", content: written.content, metadata: { ...metadata, ...written.metadata } };
    }
    case "custom":
      return customNode(message);
    default:
      return undefined;
  }
}

/** A name that was taken from the call is not written. */
function nameIn(message: ToolResultMessage): string {
  return isSynthesised(message, "/toolName") ? "" : message.toolName;
}

function customNode({
  customType,
  content,
  data,
}: Extract<AgentMessage, { role: "custom" }>): Written | undefined {
  if (!customType.startsWith(`${NAME}/`)) return undefined;
  if (content !== undefined) return { role: "tool", ...parts(content) };
  return { role: "system", content: isObject(data) ? data : {} };
}

function parts(
  content: string | readonly (UserContent | AssistantContent)[],
): Pick<Written, "content" | "metadata"> {
  if (typeof content === "string") return { content: { content_type: "text", parts: [content] } };
  const alone = writeAlone(content);
  if (alone !== undefined) return { content: alone, metadata: writeAttachments(content) };
  const written = content.flatMap(writePart);
  const type = written.every(isString) ? "text" : "multimodal_text";
  return { content: { content_type: type, parts: written }, metadata: writeAttachments(content) };
}
