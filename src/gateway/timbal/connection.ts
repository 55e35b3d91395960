import { DragomanError } from "../../core/error.js";
import { parseJson } from "../../core/json/parse.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { parseTime } from "../../dialects/timbal/time.js";
import type { ClientSocket } from "../types.js";
import type { Sync } from "./subscription.js";

export const closeCodes = {
  badFrame: 1003,
  policy: 1008,
  failed: 1011,
  noThread: 4004,
  threadEnded: 4009,
} as const;

export interface FrameHandlers {
  sync(stream: string | undefined, wish: Sync): void;
  unsub(stream: string): void;
  send(stream: string | undefined, frame: SetFrame): void;
}

/** A whole message, or the deletion of one: `{"i":"01J…","v":{"type":"user","content":"Hi"}}`. */
export interface SetFrame {
  i: string;
  v: JsonObject | null;
}

/** Handles a client's frames. A malformed frame closes the connection; an unknown one is ignored. */
export function listen(socket: ClientSocket, requests: FrameHandlers): void {
  socket.onMessage((text) => {
    try {
      const lines = text.split("\n").filter((line) => line.trim() !== "");
      for (const [index, line] of lines.entries()) {
        if (index > 0 && !socket.charge()) return socket.close(closeCodes.policy, "too many messages");
        handleLine(line, requests);
      }
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      socket.close(closeCodes.badFrame, reasonOf(error.message));
    }
  });
}

function handleLine(line: string, { sync, unsub, send }: FrameHandlers): void {
  const frame = parseJson(line);
  if (!isObject(frame)) throw bad("a frame must be an object");
  const { c, request, s, i, v } = frame;
  if (s !== undefined && typeof s !== "string") throw bad("s is not a string");
  if (c === "sync" || (c === undefined && request === "sync")) sync(s, readSync(frame));
  else if (c === "unsub" && s !== undefined) unsub(s);
  else if (c === undefined && typeof i === "string" && (v === null || isObject(v))) send(s, { i, v });
}

function readSync({ since, after }: JsonObject): Sync {
  const wish: Sync = {};
  if (since !== undefined) {
    const time = parseTime(since);
    if (time === undefined) throw bad("since is not a time such as 2025-01-15T14:30:00.000Z");
    wish.since = time;
  }
  if (after !== undefined) {
    if (typeof after !== "string" || !/^\d{1,15}$/.test(after)) throw bad("after is not a cursor");
    wish.after = Number(after);
  }
  return wish;
}

function bad(message: string): DragomanError {
  return new DragomanError("model/invalid", message);
}

/** A close reason is limited to 123 bytes. */
function reasonOf(message: string): string {
  return Buffer.from(message)
    .subarray(0, 120)
    .toString()
    .replace(/\uFFFD$/, "");
}
