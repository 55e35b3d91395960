import { isEmpty, isObject, type JsonObject, setOwn } from "../../core/json/value.js";
import { ownNotes } from "../../core/records/own-notes.js";
import type { AgentMessage } from "../../core/types.js";
import { NAME } from "./wire.js";

const { notesOf } = ownNotes(NAME);

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

/** Adds notes to those that `admit` made. */
export function annotate(message: AgentMessage, notes: JsonObject): void {
  const { absent, was } = notesOf(message);
  if (Array.isArray(absent)) notes["absent"] = [notes["absent"] ?? [], absent].flat();
  if (isObject(was)) notes["was"] = isObject(notes["was"]) ? { ...was, ...notes["was"] } : was;
  if (!isEmpty(notes)) message.ext = { ...message.ext, [NAME]: notes };
}
