import { isObject } from "../json/value.js";
import type { AgentMessage, CustomMessage, Ext, Loss, UserMessage } from "../types.js";
import { is } from "../validate.js";

/** What is settled for one session: in its header when it begins, in notes afterwards; later ones win. */
export interface SessionMeta {
  title?: string;
  archived?: boolean;
  /** `provider/model`, for this session instead of its agent's. */
  model?: string;
  /** Instead of its agent's. */
  systemPrompt?: string;
  /** Of its agent's tools, only these. */
  tools?: string[];
}

/** Where a translation takes place that can lose something: a model's request, a file, a chat platform. */
export type Border = "request" | "import" | "view" | "channel" | "export";

/** What one translation of a session lost: `target` names the model, dialect or channel on the other side. */
export interface LossRecord {
  border: Border;
  target: string;
  losses: Loss[];
}

/** What our own log says of a conversation in lines that no model sees: `custom` messages with a type of ours and no content. */
export type Note =
  | { type: "dragoman/meta"; data: SessionMeta }
  /** A message that was accepted while the agent was busy. It is in the transcript once a message with its id follows. */
  | { type: "dragoman/inbox"; data: { message: UserMessage } }
  /** The compaction with this id no longer counts. */
  | { type: "dragoman/undo-compaction"; data: { id: string } }
  /** What a translation of the session lost, once for each cause. */
  | { type: "dragoman/losses"; data: LossRecord };

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
    case "dragoman/meta":
      return { type: customType, data: readMeta(data) };
    case "dragoman/inbox":
      return "message" in data && is("UserMessage", data.message)
        ? { type: customType, data: { message: data.message } }
        : undefined;
    case "dragoman/undo-compaction":
      return "id" in data && typeof data.id === "string"
        ? { type: customType, data: { id: data.id } }
        : undefined;
    case "dragoman/losses": {
      const record = readLosses(data);
      return record === undefined ? undefined : { type: customType, data: record };
    }
    default:
      return undefined;
  }
}

const BORDERS: readonly unknown[] = ["request", "import", "view", "channel", "export"] satisfies Border[];

function isBorder(value: unknown): value is Border {
  return BORDERS.includes(value);
}

function readLosses(data: object): LossRecord | undefined {
  if (!isObject(data)) return undefined;
  const { border, target, losses } = data;
  if (!isBorder(border) || typeof target !== "string" || !Array.isArray(losses)) return undefined;
  return { border, target, losses: losses.filter((loss) => is("Loss", loss)) };
}

/** A message that was made of several has the ids of all of them. */
export function idsOf({ id, ext }: UserMessage): string[] {
  const collected: unknown = ext?.["collected"];
  const others = Array.isArray(collected) ? collected.map((one) => isObject(one) && one["id"]) : [];
  return [id, ...others].filter((one) => typeof one === "string");
}

/** What a session's header keeps of what is settled from the beginning. */
export function headerExt(meta: SessionMeta): Ext {
  return { meta };
}

/** What a session's header and notes say of it, taken together. */
export function metaOf(messages: Iterable<AgentMessage>): SessionMeta {
  let meta: SessionMeta = {};
  for (const message of messages) {
    if (message.role === "session") meta = { ...meta, ...readMeta(message.ext?.["meta"]) };
    const note = noteOf(message);
    if (note?.type === "dragoman/meta") meta = { ...meta, ...note.data };
  }
  return meta;
}

function readMeta(data: unknown): SessionMeta {
  if (!isObject(data)) return {};
  const { title, archived, model, systemPrompt, tools } = data;
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof archived === "boolean" ? { archived } : {}),
    ...(typeof model === "string" ? { model } : {}),
    ...(typeof systemPrompt === "string" ? { systemPrompt } : {}),
    ...(Array.isArray(tools) ? { tools: tools.filter((name) => typeof name === "string") } : {}),
  };
}
