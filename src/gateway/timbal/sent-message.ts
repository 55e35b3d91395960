import { defined } from "../../core/json/defined.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { UserMessage } from "../../core/types.js";
import { contractOf, payloadType } from "../../dialects/timbal/contract.js";
import { isCustom, OWN_PREFIX } from "../../dialects/timbal/wire.js";
import { invalid } from "./bodies.js";

/** A client's message to a thread, as the value of a Timbal message. */
export interface SentMessage {
  value: JsonObject;
  /** The author's field in the client's request, for errors. */
  senderField: string;
}

/** Reads a body: a message's value, `{"type":"x-progress","done":0.5}`, or a user's or agent's `{content, metadata?}`. */
export function readSentMessage(body: JsonObject): SentMessage {
  if (body["type"] !== undefined) return readValue(body);
  const unknown = Object.keys(body).find((name) => name !== "content" && name !== "metadata");
  if (unknown !== undefined) {
    throw invalid(unknown, "is unknown; send content and metadata, or a message with its type");
  }
  const { content, metadata = {} } = body;
  if (!isObject(metadata)) throw invalid("metadata", "must be an object");
  const { role = "user" } = metadata;
  if (role !== "user" && role !== "agent") throw invalid("metadata.role", "must be user or agent");
  const value = role === "user" ? userValue(content, metadata) : agentValue(content, metadata);
  return { ...readValue(value, "metadata."), senderField: "metadata.sender" };
}

/** Reads the value of a set frame. Refuses types that only the gateway's agents send. */
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

/** Whether a message of this type is only for clients, not for the model. */
export function isNotice(type: unknown): boolean {
  if (type === "status") return true;
  return typeof type === "string" && type.startsWith("x-") && !type.startsWith(OWN_PREFIX) && isCustom(type);
}

/** The message for the agent. */
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
  // Where the dialect keeps fields that only Timbal has, so that clients see them.
  const own = isAgent ? { ...others, ...(content === undefined ? {} : { content }) } : others;
  const fields = Object.keys(own).length > 0 ? { timbal: { fields: own } } : {};
  if (!isAgent) return Object.keys(fields).length > 0 ? { ...message, ext: fields } : message;
  const isText = content === undefined && typeof payload === "string";
  const agentMessage = {
    senderId,
    ...(typeof replyTo === "string" ? { replyTo } : {}),
    ...(isText ? {} : { payload }),
  };
  return { ...message, ext: { agentMessage, ...fields } };
}

function textOf(payload: unknown): string {
  return typeof payload === "string" ? payload : JSON.stringify(payload);
}

function userValue(content: unknown, metadata: JsonObject): JsonObject {
  if (typeof content !== "string" || content === "") throw invalid("content", "must be a text");
  const { sender } = metadata;
  return defined({
    ...{ type: "user", content, sender },
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
  });
}

/** With a payload in the metadata, the content is the model's text for it. */
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
  return defined({
    type: "agent_message",
    senderId,
    payload: payload === undefined ? content : payload,
    content: payload === undefined ? undefined : content,
    replyTo,
    sender,
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
  });
}
