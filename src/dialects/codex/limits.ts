import type { Limit } from "../../core/dialect.js";
import { limitsOf } from "../../core/records/role-limits.js";

const oneOnly = "a file has one session, and only its id, time, folder and title";

/** Why something cannot be stored in a session file; the first match applies. */
export const limits: readonly Limit[] = [
  { at: "/id", role: "session", why: "a session id is a UUID, so one was derived from it" },
  { at: "", role: "session", why: oneOnly },
  { at: "/id", why: "lines have no ids" },
  { at: "/parentId", why: "a file is linear, without branches" },
  { at: "/timestamp", why: "every line needs a time in whole milliseconds" },
  { at: "/sender", why: "a line has no sender" },
  { at: "/ext/synthesised", why: "the file does not mark values that were filled in" },
  { at: "/ext", why: "only the dialects named in it can represent it" },
  { at: "/content/*/ext", why: "only the dialects named in it can represent it" },
  ...limitsOf("assistant", {
    "/content/*/textSignature": "only the ids of the Responses API can be kept",
    "/content/*/thinkingSignature": "only reasoning that OpenAI has encrypted can be sent back",
    "/content/*/redacted": "only reasoning that OpenAI has encrypted can be sent back",
    "/content/*/thoughtSignature": "a call has only its name and arguments",
    "/content/*/argumentsError": "a call has only its name and arguments",
    "/content/*": "an answer holds text, calls, and reasoning that is readable or from OpenAI",
    "/api": "answers come through the Responses API",
    "/provider": "Codex does not open the session of a provider that is not configured",
    "/usage/cost": "a line has no cost",
    "/stopReason": "only turns have an end, and answers do not",
    "/errorMessage": "an answer has no error",
  }),
  ...limitsOf("toolResult", {
    "/toolName": "a result names its call, not its tool",
    "/isError": "a result does not state whether the tool failed",
    "/details": "a result holds only what the model is shown",
    "/isPending": "a result is final",
    "/content/*": "a result holds non-empty text, images and audio",
  }),
  ...limitsOf("compaction", {
    "/verbatim": "a summary is shown to the model as it is",
    "/replacement": "a history has only what the model is shown",
    "/firstKeptId": "a compaction names no messages; Codex keeps those of the user",
    "/keptIds": "a compaction names no messages; Codex keeps those of the user",
    "/tokensBefore": "a compaction has no such field",
    "/details": "a compaction has no such field",
  }),
  ...limitsOf("error", { "/recoverable": "an error has only its text and its code" }),
  ...limitsOf("user", {
    "/content/*": "a message holds text, images and audio",
    "/content": "a single text has one form",
  }),
  ...limitsOf("system", {
    "/content/*": "a message holds text, images and audio",
    "/content": "a single text has one form",
  }),
];
