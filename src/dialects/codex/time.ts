import type { JsonRecord } from "../../core/dialect.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { instantOf, isoTime } from "../../core/time.js";
import type { AgentMessage } from "../../core/types.js";
import { isLink } from "./wire.js";

/** The time of a line or payload. Only text is one: Codex ignores lines whose time is a number. */
export function timeOf({ timestamp }: JsonRecord): number | undefined {
  return typeof timestamp === "string" ? instantOf(timestamp) : undefined;
}

/** The time of a message's lines. One without a time has that of the line that states the model or the session. */
export function timeText(message: AgentMessage, last: JsonRecord | undefined): string {
  const before = last !== undefined && isLink(last) ? last["timestamp"] : undefined;
  if (isSynthesised(message, "/timestamp") && typeof before === "string") return before;
  return isoTime(message.timestamp);
}
