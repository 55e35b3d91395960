import type { AgentMessage, CustomMessage, UserMessage } from "./types.js";
import { is } from "./validate.js";

/** What changed about a session after it began; later ones win. */
export interface SessionMeta {
  title?: string;
  archived?: boolean;
  /** `provider/model`, for this session instead of its agent's. */
  model?: string;
}

/** What our own log says of a conversation in lines that no model sees: `custom` messages with a type of ours and no content. */
export type Note =
  | { type: "dragoman/meta"; data: SessionMeta }
  /** A message that was accepted while the agent was busy. It is in the transcript once a message with its id follows. */
  | { type: "dragoman/inbox"; data: { message: UserMessage } }
  /** The compaction with this id no longer counts. */
  | { type: "dragoman/undo-compaction"; data: { id: string } };

/** The line that says it. */
export function noteMessage({ type, data }: Note, timestamp: number): CustomMessage {
  return { role: "custom", customType: type, data, timestamp };
}

/** What a line says, if it is one of ours. */
export function noteOf(message: AgentMessage): Note | undefined {
  if (message.role !== "custom") return undefined;
  const { customType, data } = message;
  if (typeof data !== "object" || data === null) return undefined;
  switch (customType) {
    case "dragoman/meta": {
      const title = "title" in data && typeof data.title === "string" ? { title: data.title } : {};
      const archived =
        "archived" in data && typeof data.archived === "boolean" ? { archived: data.archived } : {};
      const model = "model" in data && typeof data.model === "string" ? { model: data.model } : {};
      return { type: customType, data: { ...title, ...archived, ...model } };
    }
    case "dragoman/inbox":
      return "message" in data && is("UserMessage", data.message)
        ? { type: customType, data: { message: data.message } }
        : undefined;
    case "dragoman/undo-compaction":
      return "id" in data && typeof data.id === "string"
        ? { type: customType, data: { id: data.id } }
        : undefined;
    default:
      return undefined;
  }
}

/** What the notes of a session say of it, taken together. */
export function metaOf(messages: Iterable<AgentMessage>): SessionMeta {
  let meta: SessionMeta = {};
  for (const message of messages) {
    const note = noteOf(message);
    if (note?.type === "dragoman/meta") meta = { ...meta, ...note.data };
  }
  return meta;
}
