import { isEmpty, isObject, type JsonObject, setOwn } from "../../core/json/value.js";
import { ownNotes } from "../../core/records/own-notes.js";
import type { AgentMessage } from "../../core/types.js";
import { NAME } from "./wire.js";

const { notesOf } = ownNotes(NAME);

/**
 * `ext.pi` contains the entry's fields that the model does not have, under their own names, and
 *
 * - `type`: the entry's type, if `typeFor` would choose another;
 * - `lacks`: fields that `encode` writes by default but the entry does not have;
 * - `message`: fields of a `message` entry's inner message whose names have another meaning in the model;
 * - `absent`, `was`: the notes of `admit`;
 * - `fields`: the entry's fields with one of these names.
 */
const RESERVED: ReadonlySet<string> = new Set(["type", "lacks", "message", "absent", "was", "fields"]);

export interface Notes {
  type?: string;
  lacks: string[];
  message: JsonObject;
  /** The entry's own fields. */
  entry: JsonObject;
}

export function noteField(notes: JsonObject, key: string, value: unknown): void {
  if (RESERVED.has(key)) {
    notes["fields"] = { ...(isObject(notes["fields"]) ? notes["fields"] : {}), [key]: value };
  } else setOwn(notes, key, value);
}

const NONE: Notes = { lacks: [], message: {}, entry: {} };

export function readNotes(message: AgentMessage): Notes {
  if (message.ext?.[NAME] === undefined) return NONE;
  const { type, lacks, absent: _absent, was: _was, fields, message: inner, ...entry } = notesOf(message);
  return {
    ...(typeof type === "string" ? { type } : {}),
    lacks: Array.isArray(lacks) ? lacks.filter((field) => typeof field === "string") : [],
    message: isObject(inner) ? inner : {},
    entry: isObject(fields) ? { ...entry, ...fields } : entry,
  };
}

/** Adds notes to those from `admit`. */
export function annotate(message: AgentMessage, notes: JsonObject): void {
  const { absent, was } = notesOf(message);
  if (Array.isArray(absent)) notes["absent"] = [notes["absent"] ?? [], absent].flat();
  if (isObject(was)) notes["was"] = isObject(notes["was"]) ? { ...was, ...notes["was"] } : was;
  if (!isEmpty(notes)) message.ext = { ...message.ext, [NAME]: notes };
}
