import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { instantOf } from "../../core/time.js";
import { spellTime } from "./time.js";

export const NAME = "pi";

/** `{type, id, parentId, timestamp, message}`: most lines. Version 1 has no ids. */
export interface MessageEntry extends JsonRecord {
  type: "message";
  message: JsonObject;
}

/** The known versions; version 1 may be omitted. */
export const VERSIONS: readonly unknown[] = [undefined, 1, 2, 3, 4];

/** The version we write for a tree of entries. */
export const TREE_VERSION = 3;

/** Entries about the session; in the model they are `custom` messages of type `pi/<type>`. */
export const NOTE_TYPES: ReadonlySet<string> = new Set([
  "model_change",
  "thinking_level_change",
  "branch_summary",
  "label",
  "leaf",
  "session_info",
  "usage",
  "context_edit",
  "reset",
]);

/** A field of an entry, and the message field it maps to. */
export interface Field {
  readonly wire: string;
  /** Undefined for fields that only pi has. */
  readonly model?: string;
  /** Whether the model can represent the value. */
  fits(value: unknown, record: JsonRecord): boolean;
  read?(value: unknown): unknown;
  write?(value: unknown): unknown;
  /** The model's value if the entry lacks a field that the model requires. */
  readonly neutral?: unknown;
  /** The entry's value if the message lacks a field that pi requires. */
  readonly preset?: unknown;
}

/** An entry that is not a `message`. */
export interface Shape {
  readonly role: string;
  readonly fields: readonly Field[];
  /** Whether all other fields are the message's `data`. */
  readonly rest?: "data";
}

const never = () => false;
const always = () => true;

const id: Field = { wire: "id", model: "id", fits: isString };
const isParent = (value: unknown) => value === null || isString(value);
const parentId: Field = { wire: "parentId", model: "parentId", fits: isParent };
const timestamp: Field = {
  wire: "timestamp",
  model: "timestamp",
  fits: (value) => instantOf(value) !== undefined,
  read: instantOf,
  write: (value) => (typeof value === "number" ? spellTime(value) : value),
  neutral: 0,
};
const sender: Field = { wire: "sender", model: "sender", fits: isString };
const ext: Field = { wire: "ext", model: "ext", fits: isForeignExt };
const customType: Field = { wire: "customType", model: "customType", fits: isString, neutral: "" };
const entry = [id, parentId, timestamp];

const shapes: Readonly<Record<string, Shape>> = {
  session: {
    role: "session",
    fields: [
      { wire: "version", fits: never },
      { ...id, preset: "session" },
      timestamp,
      { wire: "cwd", fits: never, preset: "" },
      { wire: "key", model: "key", fits: isString },
      { wire: "agent", model: "agent", fits: isString },
      parentId,
      sender,
      ext,
    ],
  },
  compaction: {
    role: "compaction",
    fields: [
      ...entry,
      { wire: "summary", model: "summary", fits: isString, neutral: "" },
      { wire: "firstKeptEntryId", model: "firstKeptId", fits: isString },
      { wire: "tokensBefore", model: "tokensBefore", fits: (value) => typeof value === "number" },
      { wire: "details", model: "details", fits: always },
      sender,
      ext,
    ],
  },
  custom: {
    role: "custom",
    fields: [...entry, customType, { wire: "data", model: "data", fits: always }, sender, ext],
  },
  custom_message: {
    role: "custom",
    fields: [
      ...entry,
      customType,
      { wire: "content", model: "content", fits: always },
      { wire: "display", fits: never, preset: true },
      { wire: "details", model: "data", fits: always },
      sender,
      ext,
    ],
  },
};

const note: Shape = { role: "custom", fields: [...entry, sender, ext], rest: "data" };
/** The target, where the conversation continues, is the message's parent; `parentId`, the old position, is only noted. */
const leaf: Shape = {
  role: "custom",
  fields: [
    id,
    { wire: "targetId", model: "parentId", fits: isParent },
    { ...parentId, fits: (value, { targetId }) => value === targetId },
    timestamp,
    sender,
    ext,
  ],
  rest: "data",
};
const ownFieldsOfNotes: ReadonlySet<string> = new Set(["type", ...note.fields.map(({ wire }) => wire)]);

/** The shape of a type's entries. Unknown types are notes, and so is a leaf that does not move. */
export function shapeOf(type: string, moves: boolean): Shape {
  if (moves) return leaf;
  return Object.hasOwn(shapes, type) ? (shapes[type] ?? note) : note;
}

/** `{type: "leaf", id, parentId, timestamp, targetId}`: the conversation continues at the target; null is its start. */
export function movesLeaf({ type, targetId, parentId }: JsonObject): boolean {
  return type === "leaf" && isParent(targetId) && isParent(parentId);
}

/** Whether a type's entries have their own shape. */
export function isShaped(type: string): boolean {
  return type === "message" || Object.hasOwn(shapes, type);
}

/** Whether `data` can be written as the fields of a note. */
export function isNoteData(data: unknown): boolean {
  if (data === undefined) return true;
  return isObject(data) && Object.keys(data).every((key) => !ownFieldsOfNotes.has(key));
}

export function isMessageEntry(record: JsonRecord): record is MessageEntry {
  return record["type"] === "message" && isObject(record["message"]);
}

/**
 * Whether a field called `ext` is the model's `ext` as we wrote it: it has no notes of pi, and every field it lists as
 * synthesised exists.
 */
export function isForeignExt(ext: unknown, owner: JsonObject): boolean {
  if (!isObject(ext) || Object.hasOwn(ext, NAME) || isEmpty(ext)) return false;
  const { synthesised } = ext;
  if (!Array.isArray(synthesised)) return true;
  return synthesised.length > 0 && synthesised.every((pointer) => hasField(owner, pointer));
}

function hasField(owner: JsonObject, pointer: unknown): boolean {
  if (typeof pointer !== "string") return false;
  const [, ...path] = pointer.split("/");
  return path.reduce((at: unknown, key) => (isObject(at) ? at[key] : undefined), owner) !== undefined;
}
