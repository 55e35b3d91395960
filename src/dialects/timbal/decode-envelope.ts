import { FieldReader } from "../../core/records/field-reader.js";
import type { Ext } from "../../core/types.js";
import { isMade, isUlid, makeId } from "./ids.js";
import { extWith, type Notes } from "./notes.js";
import { formatTime, parseTime } from "./time.js";
import type { WireRecord } from "./wire.js";

interface Envelope {
  id?: string;
  sender?: string;
  timestamp: number;
  ext?: Ext;
}

/** The message fields that come from a record's frame, with the notes on the frame added to `notes`. */
export function envelope(
  { i, t, s, sender }: WireRecord,
  { notes, synthesised, others }: { notes: Notes; synthesised: readonly string[]; others?: Ext },
): Envelope {
  const timestamp = parseTime(t);
  const all: Notes = { ...(s === undefined ? {} : { s }), ...notes };
  // A made id earlier than the one we would make now is noted: messages after it may have ids in between.
  if (isMade(i) ? i < makeId(undefined, timestamp ?? 0) : !isUlid(i)) all.i = i;
  if (t !== undefined && (timestamp === undefined || formatTime(timestamp) !== t)) all.t = t;
  return {
    ...(isMade(i) ? {} : { id: i }),
    ...(sender === undefined ? {} : { sender }),
    timestamp: timestamp ?? 0,
    ...extWith(all, timestamp === undefined ? [...synthesised, "/timestamp"] : synthesised, others),
  };
}

/** The fields of a record's value, without `type` and `sender`. */
export function fieldsOf({ v, type, sender, at }: WireRecord): FieldReader {
  const fields = new FieldReader(v, `${at}/v`);
  if (type !== undefined) fields.drop("type");
  if (sender !== undefined) fields.drop("sender");
  return fields;
}

/** The frame's unknown fields. */
export function notesOfFrame({ others }: WireRecord): Notes {
  return Object.keys(others).length > 0 ? { frame: others } : {};
}
