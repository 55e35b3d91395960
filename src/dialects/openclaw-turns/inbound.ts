import type { JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import type { Ext } from "../../core/types.js";

/** The fields of a user turn's `metadata` and their names in the message's `ext.inbound`. */
const FIELDS = [
  ["channel", "channel"],
  ["peerId", "From"],
  ["messageId", "MessageId"],
] as const;

/** `{inbound: {channel: "telegram", From: "42"}}` becomes `metadata` `{channel: "telegram", peerId: "42"}`. */
export function writeInbound(ext: Ext | undefined): { ext: Ext | undefined; metadata: JsonRecord } {
  const inbound = ext?.["inbound"];
  if (!isObject(inbound)) return { ext, metadata: {} };
  const rest = { ...inbound };
  const metadata: JsonRecord = {};
  for (const [name, field] of FIELDS) {
    if (typeof rest[field] !== "string") continue;
    metadata[name] = rest[field];
    Reflect.deleteProperty(rest, field);
  }
  if (Object.keys(metadata).length === 0) return { ext, metadata };
  const { inbound: _, ...others } = ext ?? {};
  const left = Object.keys(rest).length === 0 ? others : { ...others, inbound: rest };
  return { ext: Object.keys(left).length === 0 ? undefined : left, metadata };
}

/** The inverse. Values already in `ext.inbound` win. */
export function readInbound(ext: Ext | undefined, metadata: JsonRecord): Ext | undefined {
  const found = FIELDS.filter(([name]) => typeof metadata[name] === "string");
  const carried = ext?.["inbound"];
  if (found.length === 0 || (carried !== undefined && !isObject(carried))) return ext;
  const read = Object.fromEntries(found.map(([name, field]) => [field, metadata[name]]));
  return { ...ext, inbound: { ...read, ...carried } };
}
