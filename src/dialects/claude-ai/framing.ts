import { type ConversationInfo, ESCROW, type Framing, type JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { isLeaf, type LeafRecord, leafRecords } from "../../core/records/leaf-record.js";
import { soleConversation } from "../../core/records/sole-conversation.js";
import { instantOf } from "../../core/time.js";
import { type HeaderRecord, isHeader } from "./wire.js";

/** Record 0 is the conversation; the other records are its messages. A last one names the leaf if it is not the last message. */
export const framing: Framing = {
  kind: "document",
  split,
  join,
  pointer: (index) => (index === 0 ? "" : `/chat_messages/${index - 1}`),
  pointers,
  conversation: describe,
};

const LEAF = "current_leaf_message_uuid";

function split(document: unknown): unknown[] {
  const { conversation, at } = soleConversation(document);
  const { chat_messages: messages, [ESCROW]: escrow, ...rest } = conversation;
  if (!Array.isArray(messages)) {
    const found = messages === undefined ? "" : "/chat_messages";
    throw new DragomanError("model/invalid", 'expected an array of messages in "chat_messages"', {
      at: `${at}${found}`,
      hint: "pass conversations.json of a Claude export, or one conversation of it",
    });
  }
  const header: HeaderRecord = {
    conversation: rest,
    ...(at === "" ? {} : { isMember: true }),
    ...(escrow === undefined ? {} : { [ESCROW]: escrow }),
  };
  const records = messages.map((message, index) => messageAt(message, `${at}/chat_messages/${index}`));
  return [header, ...records, ...namedLeaf(conversation, messages)];
}

function namedLeaf({ [LEAF]: leaf }: JsonObject, messages: readonly unknown[]): LeafRecord[] {
  return leafRecords(
    leaf,
    messages.map((message) => isObject(message) && message["uuid"]),
  );
}

function messageAt(message: unknown, at: string): unknown {
  if (!isObject(message) || (!isHeader(message) && !isLeaf(message))) return message;
  throw new DragomanError("model/invalid", 'expected a message: an object with "sender"', { at });
}

function pointers(document: unknown): string[] {
  const { conversation, at } = soleConversation(document);
  const { chat_messages: messages } = conversation;
  const all: unknown[] = Array.isArray(messages) ? messages : [];
  const named = namedLeaf(conversation, all).map(() => `${at}/${LEAF}`);
  return [at, ...all.map((_, index) => `${at}/chat_messages/${index}`), ...named];
}

function join(records: readonly JsonRecord[]): unknown {
  const header = records.find(isHeader) ?? { conversation: {} };
  const { [ESCROW]: escrow } = header;
  const conversation = {
    ...header.conversation,
    chat_messages: records.filter((record) => !isHeader(record) && !isLeaf(record)),
    ...(escrow === undefined ? {} : { [ESCROW]: escrow }),
  };
  return header.isMember === true ? [conversation] : conversation;
}

function describe(value: unknown): ConversationInfo {
  if (!isObject(value)) return { messages: 0 };
  const { uuid, name, created_at: time, chat_messages: messages } = value;
  const created = instantOf(time);
  return {
    ...(isString(uuid) ? { id: uuid } : {}),
    ...(isString(name) && name !== "" ? { title: name } : {}),
    ...(created === undefined ? {} : { created }),
    messages: Array.isArray(messages) ? messages.length : 0,
  };
}
