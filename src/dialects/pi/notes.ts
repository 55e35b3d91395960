import { isObject, type JsonObject, setOwn } from "../../core/json/value.js";
import type { AgentMessage } from "../../core/types.js";
import { isNoteData, isShaped, movesLeaf } from "./wire.js";

/**
 * What `ext.pi` holds: the fields of the entry that the message has no word for, under their own names, and
 *
 * - `type`: the entry's, where another would be chosen for the message;
 * - `lacks`: fields that would be written though the entry did not have them;
 * - `message`: of a `message` entry, fields of the inner message whose names mean something else in the model;
 * - `absent`, `was`: what `admit` notes;
 * - `fields`: the fields of the entry whose names are among these.
 */
const RESERVED: ReadonlySet<string> = new Set(["type", "lacks", "message", "absent", "was", "fields"]);

export interface Notes {
  type?: string;
  lacks: string[];
  message: JsonObject;
  /** Fields of the entry. */
  entry: JsonObject;
}

/** Notes a field of an entry. */
export function keep(notes: JsonObject, key: string, value: unknown): void {
  if (RESERVED.has(key)) {
    notes["fields"] = { ...(isObject(notes["fields"]) ? notes["fields"] : {}), [key]: value };
  } else setOwn(notes, key, value);
}

const NONE: Notes = { lacks: [], message: {}, entry: {} };

export function notesOf(message: AgentMessage): Notes {
  const noted = message.ext?.["pi"];
  if (!isObject(noted)) return NONE;
  const { type, lacks, absent: _absent, was: _was, fields, message: inner, ...entry } = noted;
  return {
    ...(typeof type === "string" ? { type } : {}),
    lacks: Array.isArray(lacks) ? lacks.filter((field) => typeof field === "string") : [],
    message: isObject(inner) ? inner : {},
    entry: isObject(fields) ? { ...entry, ...fields } : entry,
  };
}

/** Adds notes to those that `admit` made. */
export function annotate(message: AgentMessage, notes: JsonObject): void {
  const admitted = message.ext?.["pi"];
  if (isObject(admitted)) join(notes, admitted);
  if (Object.keys(notes).length > 0) message.ext = { ...message.ext, pi: notes };
}

function join(notes: JsonObject, { absent, was }: JsonObject): void {
  if (Array.isArray(absent)) notes["absent"] = [notes["absent"] ?? [], absent].flat();
  if (isObject(was)) notes["was"] = isObject(notes["was"]) ? { ...was, ...notes["was"] } : was;
}

const customFields: ReadonlySet<string> = new Set([
  "role",
  "customType",
  "content",
  "data",
  "timestamp",
  "id",
  "parentId",
  "sender",
  "ext",
]);

const PREFIX = "pi/";

/** The name a note of that type has in the model. */
export function customTypeOf(type: string): string {
  return PREFIX + type;
}

/** The type of entry a message is written as, unless it says otherwise. */
export function typeFor(message: AgentMessage): string {
  switch (message.role) {
    case "session":
    case "compaction":
      return message.role;
    case "custom":
      return typeForCustom(message);
    default:
      return "message";
  }
}

function typeForCustom(message: Extract<AgentMessage, { role: "custom" }>): string {
  const { customType, content, data } = message;
  const type = customType.slice(PREFIX.length);
  const isNote = customType.startsWith(PREFIX) && type !== "" && !isShaped(type);
  if (isNote && content === undefined && isNoteData(data)) {
    const { parentId } = message;
    const isAsRead = !movesLeaf({ type, parentId, ...(isObject(data) ? data : {}) });
    if (isAsRead) return type;
  }
  if (content === undefined) return "custom";
  return Object.keys(message).every((key) => customFields.has(key)) ? "custom_message" : "message";
}
