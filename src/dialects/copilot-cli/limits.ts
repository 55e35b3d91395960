import type { Limit } from "../../core/dialect.js";
import { limitsOf } from "../../core/records/role-limits.js";

const ownIds = "every event needs a UUID, so one was derived";
const otherDialects = "only the dialects named in it can represent it";

/** Why something cannot be stored in an event log; the first match applies. */
export const limits: readonly Limit[] = [
  { at: "/parentId", why: "the log is a chain, without branches" },
  { at: "/sender", why: "an event has no sender" },
  ...limitsOf("session", {
    "/id": "a session id is a UUID, so one was derived",
    "/title": "Copilot keeps the title in another file",
    "/key": "a session has an id but no key",
    "/agent": "a session has no agent",
    "/parent": "a session does not name the one it was started by",
    "": "a log has one session, at its start",
  }),
  { at: "/id", why: ownIds },
  { at: "/timestamp", why: "every event has a time in whole milliseconds" },
  { at: "/ext", why: otherDialects },
  { at: "/content/*/ext", why: otherDialects },
  ...limitsOf("assistant", {
    "/content/*/textSignature": "text has no signature",
    "/content/*/thinkingSignature": "signatures belong to Copilot's own sessions",
    "/content/*/thoughtSignature": "a tool request has no signature",
    "/content/*/argumentsError": "a tool request has only its arguments",
    "/content": "an answer is one thinking text, one text and its tool requests, in this order",
    "/api": "an answer names its model, not the API",
    "/provider": "an answer names its model, not its provider",
    "/usage": "an answer has only the number of its output tokens",
    "/stopReason": "an answer has no stop reason",
    "/errorMessage": "an answer has no error",
  }),
  ...limitsOf("toolResult", {
    "/toolName": "a result names its call, not its tool",
    "/details": "a failed call has only a message",
    "/content": "a result is one text, followed by embedded files unless it is an error",
    "/isPending": "a result is final",
  }),
  ...limitsOf("user", { "/content": "a prompt is one text, followed by embedded files" }),
  ...limitsOf("system", { "/content": "a system message is one text" }),
  ...limitsOf("compaction", {
    "/verbatim": "a compaction has only its summary",
    "/firstKeptId": "a compaction has only its summary",
    "/keptIds": "a compaction has only its summary",
    "/replacement": "a compaction has only its summary",
    "/details": "a compaction has only its summary",
  }),
  ...limitsOf("error", { "/recoverable": "an error has a type and a message" }),
  { at: "", why: "the log has no event for it" },
];
