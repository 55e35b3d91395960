import { ESCROW, type JsonRecord } from "../dialect.js";
import { isString } from "../json/value.js";
import { isSynthesised } from "../message/neutral.js";
import { leafNote, noteOf } from "../message/notes.js";
import type { AgentMessage, CustomMessage } from "../types.js";

/**
 * The record of a document that names the active leaf. `split` adds it if the leaf is not the last message, and `join` reads
 * it.
 */
export interface LeafRecord extends JsonRecord {
  leaf: string;
  /** Of the message that names it, in Unix milliseconds; not written. */
  timestamp?: number;
}

const FIELDS: readonly string[] = ["leaf", "timestamp", ESCROW];

export function isLeaf(record: JsonRecord): record is LeafRecord {
  return isString(record["leaf"]) && Object.keys(record).every((key) => FIELDS.includes(key));
}

/** The record that names the leaf, if it is one of these keys and not the last. */
export function leafRecords(leaf: unknown, keys: readonly unknown[]): LeafRecord[] {
  return isString(leaf) && leaf !== keys.at(-1) && keys.includes(leaf) ? [{ leaf }] : [];
}

export function readLeaf({ leaf, timestamp }: LeafRecord): CustomMessage {
  const note = leafNote(leaf, timestamp ?? 0);
  return timestamp === undefined ? { ...note, ext: { synthesised: ["/timestamp"] } } : note;
}

/** Undefined if the message is not a note that names the leaf. */
export function writeLeaf(message: AgentMessage): LeafRecord | undefined {
  const { parentId, timestamp } = message;
  if (noteOf(message)?.type !== "dragoman/leaf" || !isString(parentId)) return undefined;
  return { leaf: parentId, ...(isSynthesised(message, "/timestamp") ? {} : { timestamp }) };
}
