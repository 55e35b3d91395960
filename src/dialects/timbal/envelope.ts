import type { Ext } from "../../core/types.js";
import { isMade, isUlid, makeId } from "./ids.js";
import { extOf, type Kept } from "./kept.js";
import { formatTime, parseTime } from "./time.js";
import type { WireRecord } from "./wire.js";

interface Envelope {
  id?: string;
  sender?: string;
  timestamp: number;
  ext?: Ext;
}

/** What every message has of its record, and what must be kept of it beside `kept`. */
export function envelope(
  { i, t, s, sender }: WireRecord,
  { kept, synthesised, others }: { kept: Kept; synthesised: readonly string[]; others?: Ext },
): Envelope {
  const timestamp = parseTime(t);
  const all: Kept = { ...(s === undefined ? {} : { s }), ...kept };
  // One that would be made later in time may have been followed by others that then would not be.
  if (isMade(i) ? i < makeId(undefined, timestamp ?? 0) : !isUlid(i)) all.i = i;
  if (t !== undefined && (timestamp === undefined || formatTime(timestamp) !== t)) all.t = t;
  return {
    ...(isMade(i) ? {} : { id: i }),
    ...(sender === undefined ? {} : { sender }),
    timestamp: timestamp ?? 0,
    ...extOf(all, timestamp === undefined ? [...synthesised, "/timestamp"] : synthesised, others),
  };
}

/** The frame's fields that nobody knows, to be kept. */
export function keptOfFrame({ others }: WireRecord): Kept {
  return Object.keys(others).length > 0 ? { frame: others } : {};
}
