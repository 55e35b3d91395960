import type { JsonRecord } from "../../core/dialect.js";
import { hashOfJson } from "../../core/message/derived-id.js";

/** An id for a session that has none: a hash of its first message, so that it stays the same as the conversation grows. */
export function derivedSessionId({ id, role, content }: JsonRecord): string {
  return `session_${hashOfJson([id, role, content])}`;
}
