import { isEmpty, isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import type { AssistantMessage, SystemMessage, UserMessage } from "../../core/types.js";
import { notesOf } from "./notes.js";

/*
 * Applications define the metadata of their messages. We read and write the two fields that the AI SDK's documentation
 * uses in its examples:
 *
 *     { "createdAt": 1767225600000, "model": "gpt-5" }
 */

export interface Metadata {
  timestamp?: number;
  model?: string | undefined;
  /** What the record's first message keeps. */
  notes: JsonObject;
  fields: JsonObject;
}

export function readMetadata(metadata: unknown, isAnswer: boolean): Metadata {
  if (metadata === undefined) return { notes: {}, fields: {} };
  if (!isObject(metadata)) return { notes: {}, fields: { metadata } };
  const rest = { ...metadata };
  const found: Pick<Metadata, "timestamp" | "model"> = {};
  const iso = isoTime(rest["createdAt"]);
  const time = isNumber(rest["createdAt"]) ? rest["createdAt"] : iso;
  if (time !== undefined) {
    found.timestamp = time;
    Reflect.deleteProperty(rest, "createdAt");
  }
  if (isAnswer && isString(rest["model"])) {
    found.model = rest["model"];
    Reflect.deleteProperty(rest, "model");
  }
  const isKept = !isEmpty(rest) || isEmpty(metadata);
  const notes = { ...(isKept ? { metadata: rest } : {}), ...(iso === undefined ? {} : { isoTime: true }) };
  return { ...found, notes, fields: {} };
}

/** The metadata of a record whose first message this is; undefined if it has none. */
export function writeMetadata(
  message: UserMessage | AssistantMessage | SystemMessage,
): JsonObject | undefined {
  const { metadata, isoTime: isIso } = notesOf(message);
  const written: JsonObject = isObject(metadata) ? { ...metadata } : {};
  if (!isSynthesised(message, "/timestamp")) {
    written["createdAt"] = isIso === true ? isoOf(message.timestamp) : message.timestamp;
  }
  if (message.role === "assistant" && !isSynthesised(message, "/model")) written["model"] = message.model;
  return isEmpty(written) && !isObject(metadata) ? undefined : written;
}

/** The time, if the value is written exactly as `Date` writes it. */
function isoTime(value: unknown): number | undefined {
  if (!isString(value)) return undefined;
  const time = Date.parse(value);
  return isoOf(time) === value ? time : undefined;
}

function isoOf(time: number): string | number {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toISOString();
}
