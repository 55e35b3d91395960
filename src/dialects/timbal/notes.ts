import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Deviation } from "../../core/records/deviation.js";
import { ownNotes } from "../../core/records/own-notes.js";
import type { Ext } from "../../core/types.js";
import { NAME } from "./wire.js";

const { notesOf, extWith, othersIn, isForeign } = ownNotes(NAME);

export { extWith, isForeign, othersIn };

/** What is kept under `ext.timbal` of the message or block that a record became: how its value deviates, and */
export interface Notes extends Pick<Deviation, "fields" | "absent"> {
  /** The stream. */
  s?: string;
  /** The id, where the one it would be given otherwise is another. */
  i?: string;
  /** The time, where it is not spelled as we would. */
  t?: unknown;
  /** A block that has no time though its message has one. */
  untimed?: true;
  /** The frame's unknown fields. */
  frame?: JsonObject;
  /** Its type is nobody's, though it does not begin with `x-`. */
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

/** The fields that are nobody's. With one of the protocol's own among them a reader would ignore the frame, or misread it. */
function harmless(frame: JsonObject): JsonObject {
  const { i: _i, t: _t, v: _v, s: _s, c: _c, a: _a, m, ...others } = frame;
  return isObject(m) && !Object.hasOwn(m, "content") ? { ...others, m } : others;
}
