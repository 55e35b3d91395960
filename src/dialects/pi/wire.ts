import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { instantOf } from "../../core/time.js";
import { spellTime } from "./time.js";

export const NAME = "pi";

/** `{type, id, parentId, timestamp, message}`: what most lines are. The ids are absent in version 1. */
export interface MessageEntry extends JsonRecord {
  type: "message";
  message: JsonObject;
}

/** The versions of the format that are known. */
export const VERSIONS: readonly unknown[] = [undefined, 1, 2, 3, 4];

/** The version from which entries are a tree by `id` and `parentId`, as pi itself writes it. */
export const TREE_VERSION = 3;

/** Entries that say something about the session, and that the model holds as `custom` messages `pi/<type>`. */
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

/** A field of an entry, and the field of a message that it is. */
export interface Field {
  readonly wire: string;
  /** None for what only pi says. */
  readonly model?: string;
  /** Whether the model can hold the value; `record` is where it stands. */
  fits(value: unknown, record: JsonRecord): boolean;
  read?(value: unknown): unknown;
  write?(value: unknown): unknown;
  /** What the model, which requires the field, has in its place when it is missing. */
  readonly neutral?: unknown;
  /** What pi, which requires the field, is given when the message does not say it. */
  readonly preset?: unknown;
}

/** An entry that is not a `message`. */
export interface Shape {
  readonly role: string;
  readonly fields: readonly Field[];
  /** Whether fields not listed are the `data` of the message. */
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
/** Where the conversation goes on is what this entry follows; `parentId`, where it stood, is only noted. */
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

/** How entries of a type are built; every type that is not known is a note, and so is a leaf that does not move. */
export function shapeOf(type: string, moves: boolean): Shape {
  if (moves) return leaf;
  return Object.hasOwn(shapes, type) ? (shapes[type] ?? note) : note;
}

/** `{type: "leaf", id, parentId, timestamp, targetId}`: the conversation goes on at the target; null is before its begin. */
export function movesLeaf({ type, targetId, parentId }: JsonObject): boolean {
  return type === "leaf" && isParent(targetId) && isParent(parentId);
}

/** Whether entries of a type have a shape of their own. */
export function isShaped(type: string): boolean {
  return type === "message" || Object.hasOwn(shapes, type);
}

/** Whether `data` could be the fields of a note. */
export function isNoteData(data: unknown): boolean {
  if (data === undefined) return true;
  return isObject(data) && Object.keys(data).every((key) => !ownFieldsOfNotes.has(key));
}

export function isMessageEntry(record: JsonRecord): record is MessageEntry {
  return record["type"] === "message" && isObject(record["message"]);
}

/**
 * Whether `ext` is what the model's `ext` was when its owner was written, and not just a field of that name: it does not
 * speak for pi, and does not call a field synthesised that is not there.
 */
export function isForeignExt(ext: unknown, owner: JsonObject): boolean {
  if (!isObject(ext) || Object.hasOwn(ext, NAME) || isEmpty(ext)) return false;
  const { synthesised } = ext;
  if (!Array.isArray(synthesised)) return true;
  return synthesised.length > 0 && synthesised.every((pointer) => isThere(owner, pointer));
}

function isThere(owner: JsonObject, pointer: unknown): boolean {
  if (typeof pointer !== "string") return false;
  const [, ...path] = pointer.split("/");
  return path.reduce((at: unknown, key) => (isObject(at) ? at[key] : undefined), owner) !== undefined;
}
