import type { Framing, JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";
import { closeHeader, encodeHeader, openHeader } from "./header.js";
import { isHeader } from "./wire.js";

/** Record 0 is the document without its messages; the other records are the messages. */
export const framing: Framing = {
  kind: "document",
  split,
  join,
  pointer: (index) => (index === 0 ? "" : `/messages/${index - 1}`),
};

function split(document: unknown): unknown[] {
  if (!isObject(document)) throw unexpected("", "an opencode export: an object", document);
  const { messages, ...header } = document;
  if (!isObject(header["info"])) throw unexpected("/info", "the session: an object", header["info"]);
  if (!isHeader(header))
    throw unexpected("/info/role", "a session, which has no role", header["info"]["role"]);
  if (!Array.isArray(messages)) throw unexpected("/messages", "an array of messages", messages);
  return [openHeader(header, messages), ...messages.map(messageAt)];
}

function messageAt(message: unknown, index: number): unknown {
  if (!isObject(message) || !isHeader(message)) return message;
  throw unexpected(`/messages/${index}/info/role`, '"user" or "assistant"', undefined);
}

function join(records: readonly JsonRecord[]): JsonRecord {
  const [first, ...rest] = records;
  const [header, messages] =
    first !== undefined && isHeader(first) ? [first, rest] : [encodeHeader(undefined), [...records]];
  const { info, messages: _, ...others } = closeHeader(header, messages);
  return { info, messages, ...others };
}
