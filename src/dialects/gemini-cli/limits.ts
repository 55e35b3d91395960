import type { Limit } from "../../core/dialect.js";
import { limitsOf } from "../../core/records/role-limits.js";

const oneOnly = "a file has one session, and only its id, start and title";

/** Why something cannot be stored in a session file; the first match applies. */
export const limits: readonly Limit[] = [
  { at: "/id", role: "session", why: "a session id is a UUID, so one was derived from it" },
  { at: "/timestamp", role: "session", why: "the start is stored in whole milliseconds" },
  { at: "", role: "session", why: oneOnly },
  { at: "/id", role: "toolResult", why: "a result has an id if, and only if, it is on a line of its own" },
  { at: "/id", why: "every line needs an id, so one was derived" },
  { at: "/parentId", why: "messages follow each other in the order of the lines" },
  { at: "/timestamp", why: "a line has a time in whole milliseconds" },
  { at: "/sender", why: "a line has no sender" },
  { at: "/ext/synthesised", why: "the file does not mark values that were filled in" },
  { at: "/ext", why: "only the dialects named in it can represent it" },
  { at: "/content/*/ext", why: "only the dialects named in it can represent it" },
  { at: "/content/*/detail", why: "a part has no level of detail" },
  ...limitsOf("assistant", {
    "/content/*/textSignature": "only signatures of the Gemini API can be sent back",
    "/content/*/thinkingSignature": "only signatures of the Gemini API can be sent back",
    "/content/*/thoughtSignature": "only signatures of the Gemini API can be sent back",
    "/content/*/argumentsError": "a call has only its arguments",
    "/content/*": "an answer holds text, thinking that is not redacted, calls and media",
    "/api": "answers come through the Gemini API",
    "/provider": "a line names the model, not its provider",
    "/usage/cost": "a line has no cost",
    "/usage": "a line has only the number of tokens, and none for writing the cache",
    "/stopReason": "a line has no stop reason",
    "/errorMessage": "an answer has no error",
  }),
  ...limitsOf("toolResult", {
    "/toolCallId": "in the form of older answers, results have the order of their calls",
    "/toolName": "a result has the name of its call",
    "/details": "a result has only what the model is shown",
    "/content/*": "a result is one text, then media",
    "/content": "a result is one text, then media",
    "/isPending": "a result is final",
    "": "it repeats a result of the answer before it, and copies of results are read once",
  }),
  ...limitsOf("user", { "/content/*": "a message holds text and media" }),
  ...limitsOf("error", {
    "/code": "an error has only its text",
    "/recoverable": "an error has only its text",
  }),
  ...limitsOf("custom", { "": "a title has neither a time nor an id" }),
];
