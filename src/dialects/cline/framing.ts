import type { Framing, JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { nameOf } from "../../core/records/unexpected.js";
import { closeHeader, encodeHeader } from "./header.js";
import { isHeader, LEADING_KEYS, VERSION } from "./wire.js";

/** Record 0 is the document without its messages; the other records are the messages. */
export const framing: Framing = {
  kind: "document",
  split,
  join,
  pointer: (index) => (index === 0 ? "" : `/messages/${index - 1}`),
};

function split(document: unknown): unknown[] {
  if (!isObject(document)) throw invalid("", "a Cline session file is a JSON object");
  requireVersion(document);
  const { messages, ...header } = document;
  if (messages === undefined) throw invalid("", 'expected a property "messages"');
  if (!Array.isArray(messages)) throw invalid("/messages", "expected an array of messages");
  return [header, ...messages.map(messageAt)];
}

function messageAt(message: unknown, index: number): unknown {
  if (!isObject(message) || !isHeader(message)) return message;
  throw invalid(`/messages/${index}`, 'expected a message: an object with "role" and "content"');
}

/** Checked first: a file of another version may differ in everything else. */
function requireVersion({ version }: JsonObject): void {
  if (version === VERSION) return;
  const missing = version === undefined;
  const found = missing ? "the file has no version" : `unknown version ${nameOf(version)}`;
  throw new DragomanError("cline/version", `${found}; only version ${VERSION} is supported`, {
    at: missing ? "" : "/version",
    hint: missing
      ? `write "version": ${VERSION} if it is a Cline messages file`
      : "look for a dragoman release that reads it; changing the number would not change the format",
  });
}

function join(records: readonly JsonRecord[]): JsonRecord {
  const [first, ...rest] = records;
  const [header, messages] =
    first !== undefined && isHeader(first) ? [first, rest] : [encodeHeader(), [...records]];
  const { system_prompt, messages: _, ...others } = closeHeader(header, messages);
  const leading = LEADING_KEYS.filter((key) => Object.hasOwn(others, key)).map((key) => [key, others[key]]);
  return {
    ...Object.fromEntries(leading),
    messages,
    ...(system_prompt === undefined ? {} : { system_prompt }),
    ...Object.fromEntries(Object.entries(others).filter(([key]) => !LEADING_KEYS.includes(key))),
  };
}

function invalid(at: string, message: string): DragomanError {
  return new DragomanError("model/invalid", message, { at });
}
