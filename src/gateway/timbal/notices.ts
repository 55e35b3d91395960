import { DragomanError } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AgentMessage, CustomMessage, Ext, StatusMessage } from "../../core/types.js";
import { decode } from "../../dialects/timbal/decode.js";
import { encode } from "../../dialects/timbal/encode.js";
import { formatTime } from "../../dialects/timbal/time.js";

/** A message for a thread's clients: no model sees it, and it starts no run. */
export type NoticeMessage = CustomMessage | StatusMessage;

export interface Notice {
  /** Its id in clients' frames. */
  i: string;
  /** The sender's id for it. */
  key?: string;
  /** Its value is null if it was deleted. */
  frame: JsonObject;
}

/** A deleted notice in the log: `{"role":"custom","customType":"timbal/deleted","data":{"i":"01J…"}}`. */
const DELETED = "timbal/deleted";

interface NoticeOptions {
  timestamp: number;
  key: string | undefined;
  /** The `i` of the notice that it replaces. */
  replaces: string | undefined;
}

/** A `status` or `x-…` message as a line of the log. */
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

/** A line of the log as a notice, if it is one. */
export function noticeOf(message: AgentMessage): Notice | undefined {
  if (message.role !== "custom" && message.role !== "status") return undefined;
  const key = keyIn(message.ext);
  const deleted = message.role === "custom" && message.customType === DELETED ? message.data : undefined;
  if (isObject(deleted) && typeof deleted["i"] === "string") {
    const { i } = deleted;
    // With a time, so that a client that returns with `since` receives it.
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
