import { DragomanError } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AgentMessage, CustomMessage, Ext, StatusMessage } from "../../core/types.js";
import { decode } from "../../dialects/timbal/decode.js";
import { encode } from "../../dialects/timbal/encode.js";
import { formatTime } from "../../dialects/timbal/time.js";

/** A message for those who follow a thread: no model sees it, and it starts no run. */
export type NoticeMessage = CustomMessage | StatusMessage;

/** What the log says of a notice: under which id followers have it, and its frame. */
export interface Notice {
  i: string;
  /** What its sender calls it. */
  key?: string;
  /** Without its value it was deleted. */
  frame: JsonObject;
}

/** The line that says that a notice was deleted: `{"role":"custom","customType":"timbal/deleted","data":{"i":"01J…"}}`. */
const DELETED = "timbal/deleted";

interface NoticeOptions {
  timestamp: number;
  /** What its sender calls it. */
  key: string | undefined;
  /** The id under which followers have the one that it replaces. */
  replaces: string | undefined;
}

/** The value of a `status` or `x-…` message as a line of the log. */
export function noticeMessage(
  value: JsonObject,
  { timestamp, key, replaces }: NoticeOptions,
): NoticeMessage & { id: string } {
  const id = newId();
  const [decoded] = decode([{ i: id, t: formatTime(timestamp), v: value }]);
  const message = decoded?.message;
  if (message?.role !== "custom" && message?.role !== "status") {
    throw new DragomanError(
      "model/invalid",
      "expected a status message, or one of a type that begins with x-",
    );
  }
  const kept = message.ext?.["timbal"];
  const ext = {
    ...message.ext,
    ...(replaces === undefined ? {} : { timbal: { ...(isObject(kept) ? kept : {}), i: replaces } }),
    ...marked(key),
  };
  return { ...message, id, ...(Object.keys(ext).length > 0 ? { ext } : {}) };
}

export function deletion(i: string, timestamp: number, key: string): CustomMessage {
  return { role: "custom", customType: DELETED, data: { i }, timestamp, ext: marked(key) };
}

/** The notice that a line of the log is, if it is one. */
export function noticeOf(message: AgentMessage): Notice | undefined {
  if (message.role !== "custom" && message.role !== "status") return undefined;
  const key = keyIn(message.ext);
  const deleted = message.role === "custom" && message.customType === DELETED ? message.data : undefined;
  if (isObject(deleted) && typeof deleted["i"] === "string") {
    const { i } = deleted;
    // Its time lets a client that comes back with `since` learn of it.
    return { i, ...key, frame: { i, t: formatTime(message.timestamp), v: null } };
  }
  const [frame] = encode([message]);
  return typeof frame?.["i"] === "string" ? { i: frame["i"], ...key, frame } : undefined;
}

function marked(key: string | undefined): Ext {
  return key === undefined ? {} : { sent: { idempotencyKey: key } };
}

function keyIn(ext: Ext | undefined): { key?: string } {
  const sent = ext?.["sent"];
  return isObject(sent) && typeof sent["idempotencyKey"] === "string" ? { key: sent["idempotencyKey"] } : {};
}
