import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Deviation } from "../../core/records/deviation.js";
import { ownNotes } from "../../core/records/own-notes.js";
import type { Ext } from "../../core/types.js";
import { NAME } from "./wire.js";

const { notesOf, extWith, othersIn, isForeign } = ownNotes(NAME);

export { extWith, isForeign, othersIn };

/** `ext.timbal` of a message or block: its record's deviations. */
export interface Notes extends Pick<Deviation, "fields" | "absent"> {
  /** The stream. */
  s?: string;
  /** The id, if `encode` would choose another. */
  i?: string;
  /** The time, if we would write it differently. */
  t?: unknown;
  /** The block has no time, but its message has one. */
  untimed?: true;
  /** The frame's unknown fields. */
  frame?: JsonObject;
  /** It has a custom type without `x-`. */
  bare?: true;
}

export function readNotes(holder: { ext?: Ext }): Notes {
  const { s, i, t, untimed, frame, fields, absent, bare } = notesOf(holder);
  return {
    ...(typeof s === "string" ? { s } : {}),
    ...(typeof i === "string" ? { i } : {}),
    ...(t === undefined ? {} : { t }),
    ...(untimed === true ? { untimed } : {}),
    ...(isObject(frame) ? { frame: harmless(frame) } : {}),
    ...(isObject(fields) ? { fields } : {}),
    ...(Array.isArray(absent) ? { absent } : {}),
    ...(bare === true ? { bare } : {}),
  };
}

/** Without the protocol's own fields, which would make a reader ignore or misread the frame. */
function harmless(frame: JsonObject): JsonObject {
  const { i: _i, t: _t, v: _v, s: _s, c: _c, a: _a, m, ...others } = frame;
  return isObject(m) && !Object.hasOwn(m, "content") ? { ...others, m } : others;
}
