import { isObject, type JsonObject } from "../../core/json/value.js";
import type { UserMessage } from "../../core/types.js";
import { contractOf, payloadType } from "../../dialects/timbal/contract.js";
import { isCustom, OWN_PREFIX } from "../../dialects/timbal/wire.js";
import { invalid } from "./bodies.js";

/** A message that a client sends into a thread, as the value of a Timbal message. */
export interface SentMessage {
  value: JsonObject;
  /** What the client calls the field for the author. */
  senderField: string;
}

/** The body of a request: the value of a message, `{"type":"x-progress","done":0.5}`; or `{content, metadata?}` of a user or an agent. */
export function readSentMessage(body: JsonObject): SentMessage {
  if (body["type"] !== undefined) return readValue(body);
  const unknown = Object.keys(body).find((name) => name !== "content" && name !== "metadata");
  if (unknown !== undefined) {
    throw invalid(unknown, "is not known here; there are content and metadata, or a message with its type");
  }
  const { content, metadata = {} } = body;
  if (!isObject(metadata)) throw invalid("metadata", "must be an object");
  const { role = "user" } = metadata;
  if (role !== "user" && role !== "agent") throw invalid("metadata.role", "must be user or agent");
  const value = role === "user" ? userValue(content, metadata) : agentValue(content, metadata);
  return { ...readValue(value, "metadata."), senderField: "metadata.sender" };
}

/** A message as a set frame says it. The gateway takes what a client can say; what only agents here say, it says itself. */
export function readValue(value: JsonObject, prefix = ""): SentMessage {
  const { type } = value;
  if (typeof type !== "string") throw invalid("type", "must be a text");
  const isSendable = type === "user" || type === "agent_message" || type === "status" || isNotice(type);
  if (!isSendable) {
    throw invalid("type", "must be user, agent_message, status, or begin with x- (x-dragoman- is reserved)");
  }
  const { required, optional } = contractOf(type);
  for (const [name, expected] of Object.entries({ ...required, ...optional })) {
    const given = value[name];
    const isFine = given === undefined ? !Object.hasOwn(required, name) : expected.fits(given);
    // Programs that agree on a payload may send any JSON.
    const isPayload = expected === payloadType && given !== undefined;
    if (!isFine && !isPayload) throw invalid(`${prefix}${name}`, `must be ${expected.described}`);
  }
  if (value["content"] === "") throw invalid("content", "must be a text");
  return { value, senderField: "sender" };
}

/** Whether a message of this type is only for those who follow. */
export function isNotice(type: unknown): boolean {
  if (type === "status") return true;
  return typeof type === "string" && type.startsWith("x-") && !type.startsWith(OWN_PREFIX) && isCustom(type);
}

/** What the agent is to answer. */
export function promptOf(value: JsonObject, timestamp: number): UserMessage {
  const { type, content, sender, senderId, payload, replyTo, ...others } = value;
  const isAgent = type === "agent_message" && typeof senderId === "string";
  const author = typeof sender === "string" ? sender : isAgent ? senderId : undefined;
  const message: UserMessage = {
    role: "user",
    content: typeof content === "string" ? content : textOf(payload),
    timestamp,
    ...(author === undefined ? {} : { sender: author }),
  };
  // As the dialect keeps a field that only Timbal has: everyone who follows the thread sees it.
  const own = isAgent ? { ...others, ...(content === undefined ? {} : { content }) } : others;
  const fields = Object.keys(own).length > 0 ? { timbal: { fields: own } } : {};
  if (!isAgent) return Object.keys(fields).length > 0 ? { ...message, ext: fields } : message;
  const isSaid = content === undefined && typeof payload === "string";
  const agentMessage = {
    senderId,
    ...(typeof replyTo === "string" ? { replyTo } : {}),
    ...(isSaid ? {} : { payload }),
  };
  return { ...message, ext: { agentMessage, ...fields } };
}

function textOf(payload: unknown): string {
  return typeof payload === "string" ? payload : JSON.stringify(payload);
}

function userValue(content: unknown, metadata: JsonObject): JsonObject {
  if (typeof content !== "string" || content === "") throw invalid("content", "must be a text");
  const { sender } = metadata;
  return {
    type: "user",
    content,
    ...(sender === undefined ? {} : { sender }),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}

/** With a payload in the metadata, the content is what the model reads beside it. */
function agentValue(content: unknown, given: JsonObject): JsonObject {
  const { role: _, senderId, replyTo, sender, payload, ...metadata } = given;
  if (senderId === undefined)
    throw invalid("metadata.senderId", "must be the id of the sending agent's thread");
  if (content === undefined && payload === undefined)
    throw invalid("content", "must be a text or a JSON value");
  if (content === "") throw invalid("content", "must be a text or a JSON value");
  if (payload !== undefined && content !== undefined && typeof content !== "string") {
    throw invalid("content", "must be a text beside metadata.payload");
  }
  return {
    type: "agent_message",
    senderId,
    payload: payload === undefined ? content : payload,
    ...(payload === undefined || content === undefined ? {} : { content }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(sender === undefined ? {} : { sender }),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}
