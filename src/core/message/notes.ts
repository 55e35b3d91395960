import { isObject, isString, type JsonObject } from "../json/value.js";
import type { AgentMessage, CustomMessage, Ext, Loss, QuestionNote, UserMessage } from "../types.js";
import { is } from "../validate.js";

/** A session's own settings: in its header at first, in notes afterwards; later ones win. */
export interface SessionMeta {
  title?: string;
  archived?: boolean;
  /** `provider/model`, instead of the agent's. */
  model?: string;
  /** Instead of the agent's. */
  systemPrompt?: string;
  /** Restricts the agent's tools to these. */
  tools?: string[];
  /** The folder that its tools work in, instead of the agent's workspace. Named as in other programs' sessions. */
  cwd?: string;
  /** The session of the program that is the agent, if it is one. */
  acp?: ProgramSession;
}

export interface ProgramSession {
  /** Our session that it belongs to: a copy of our session does not share it. */
  owner: string;
  /** The program's id of it. */
  session: string;
  /** The id of the last message that was handed to the program. */
  prompted?: string;
}

/** Where a translation can lose something: a model's request, a file, a chat platform. */
export type Border = "request" | "import" | "view" | "channel" | "export";

/** The losses of one translation of a session; `target` names the model, dialect or channel on the other side. */
export interface LossRecord {
  border: Border;
  target: string;
  losses: Loss[];
}

/** A response of the Responses API: the answer is a message of the session, its input the messages before it. */
export interface ResponseRecord {
  /** The id of the answer's message. */
  answer: string;
  /** The id of the token that the client used. */
  token: string;
  /** The response as the client got it, without its output. */
  response: JsonObject;
}

export interface ConversationRecord {
  /** The id of the token that the client used. */
  token: string;
  metadata: JsonObject;
}

/** Data of our log that no model is shown: `custom` messages with one of our types and no content. */
export type Note =
  | { type: "dragoman/meta"; data: SessionMeta }
  /** A message accepted while the agent was busy. It is in the transcript once a message with its id follows. */
  | { type: "dragoman/inbox"; data: { message: UserMessage } }
  /** The compaction with this id is undone. */
  | { type: "dragoman/undo-compaction"; data: { id: string } }
  /** The parent of this note is the active leaf. `convert` writes it where a format would make another message the leaf. */
  | { type: "dragoman/leaf"; data: Record<string, never> }
  /** The user took back the turn of this message, so it is not part of the conversation any more. */
  | { type: "dragoman/rolled-back"; data: { message: AgentMessage } }
  /** The losses of a translation of the session, once per cause. */
  | { type: "dragoman/losses"; data: LossRecord }
  /** The answer with this id was given to a client of the Responses API. */
  | { type: "dragoman/response"; data: ResponseRecord }
  /** The session is a conversation of the Responses API; later metadata replaces earlier metadata. */
  | { type: "dragoman/conversation"; data: ConversationRecord }
  /** What has one of these ids is not shown to clients any more. */
  | { type: "dragoman/deleted"; data: { ids: string[] } }
  /** A permission request was asked, answered, withdrawn, or has expired; or its call begins. */
  | { type: "dragoman/question"; data: QuestionNote };

export function noteMessage({ type, data }: Note, timestamp: number): CustomMessage {
  return { role: "custom", customType: type, data, timestamp };
}

/** The note that makes a message the leaf, if it is the last one. */
export function leafNote(id: string, timestamp: number): CustomMessage {
  const note = noteMessage({ type: "dragoman/leaf", data: {} }, timestamp);
  return { ...note, id: `leaf-${id}`, parentId: id };
}

/** The note in a message, if it is one. */
export function noteOf(message: AgentMessage): Note | undefined {
  if (message.role !== "custom") return undefined;
  const { customType, data } = message;
  if (!isObject(data)) return undefined;
  switch (customType) {
    case "dragoman/meta":
      return { type: customType, data: readMeta(data) };
    case "dragoman/inbox":
      if (!is("UserMessage", data["message"])) return undefined;
      return { type: customType, data: { message: data["message"] } };
    case "dragoman/undo-compaction":
      return isString(data["id"]) ? { type: customType, data: { id: data["id"] } } : undefined;
    case "dragoman/leaf":
      return { type: customType, data: {} };
    case "dragoman/rolled-back":
      if (!is("AgentMessage", data["message"])) return undefined;
      return { type: customType, data: { message: data["message"] } };
    case "dragoman/losses":
      return lossNote(data);
    case "dragoman/response":
      return responseNote(data);
    case "dragoman/conversation":
      return conversationNote(data);
    case "dragoman/deleted":
      return Array.isArray(data["ids"])
        ? { type: customType, data: { ids: data["ids"].filter(isString) } }
        : undefined;
    case "dragoman/question":
      return is("QuestionNote", data) ? { type: customType, data } : undefined;
    default:
      return undefined;
  }
}

const BORDERS: readonly Border[] = ["request", "import", "view", "channel", "export"];

function lossNote(data: JsonObject): Note | undefined {
  const { target, losses } = data;
  const border = BORDERS.find((known) => known === data["border"]);
  if (border === undefined || typeof target !== "string" || !Array.isArray(losses)) return undefined;
  return {
    type: "dragoman/losses",
    data: { border, target, losses: losses.filter((loss) => is("Loss", loss)) },
  };
}

function responseNote({ answer, token, response }: JsonObject): Note | undefined {
  if (!isString(answer) || !isString(token) || !isObject(response)) return undefined;
  return { type: "dragoman/response", data: { answer, token, response } };
}

function conversationNote({ token, metadata }: JsonObject): Note | undefined {
  if (!isString(token) || !isObject(metadata)) return undefined;
  return { type: "dragoman/conversation", data: { token, metadata } };
}

/** The ids of a message; one that was joined from several has the ids of all of them. */
export function idsOf({ id, ext }: UserMessage): string[] {
  const collected: unknown = ext?.["collected"];
  const others = Array.isArray(collected) ? collected.map((one) => isObject(one) && one["id"]) : [];
  return [id, ...others].filter((one) => typeof one === "string");
}

/** The `ext` of a session's header with its first settings. */
export function headerExt(meta: SessionMeta): Ext {
  return { meta };
}

/** A session's settings from its header and notes. */
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
  const { title, archived, model, systemPrompt, tools, cwd, acp } = data;
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof archived === "boolean" ? { archived } : {}),
    ...(typeof model === "string" ? { model } : {}),
    ...(typeof systemPrompt === "string" ? { systemPrompt } : {}),
    ...(Array.isArray(tools) ? { tools: tools.filter((name) => typeof name === "string") } : {}),
    ...(typeof cwd === "string" ? { cwd } : {}),
    ...(isObject(acp) ? programSession(acp) : {}),
  };
}

function programSession({ owner, session, prompted }: JsonObject): Pick<SessionMeta, "acp"> {
  if (!isString(owner) || !isString(session)) return {};
  return { acp: { owner, session, ...(isString(prompted) ? { prompted } : {}) } };
}
