import type { JsonRecord } from "../../core/dialect.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { instantOf, LAST_DATE } from "../../core/time.js";
import type { AgentMessage } from "../../core/types.js";
import { isLink } from "./wire.js";

/** The time of a line or payload. Only text is one: Codex ignores lines whose time is a number. */
export function timeOf({ timestamp }: JsonRecord): number | undefined {
  return typeof timestamp === "string" ? instantOf(timestamp) : undefined;
}

/** `ms` is unknown because messages of an unknown role need not have a time. */
export function isoTime(ms: unknown): string {
  const isDate = typeof ms === "number" && Math.abs(ms) <= LAST_DATE;
  return new Date(isDate ? Math.trunc(ms) : 0).toISOString();
}

/** The time of a message's lines. One without a time has that of the line that states the model or the session. */
export function timeText(message: AgentMessage, last: JsonRecord | undefined): string {
  const before = last !== undefined && isLink(last) ? last["timestamp"] : undefined;
  if (isSynthesised(message, "/timestamp") && typeof before === "string") return before;
  return isoTime(message.timestamp);
}
