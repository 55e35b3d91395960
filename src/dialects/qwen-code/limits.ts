import type { Limit } from "../../core/dialect.js";
import { limitsOf } from "../../core/records/role-limits.js";

const oneOnly = "a file has one session, and only its id and folder";

/** Why something cannot be stored in a session file; the first match applies. */
export const limits: readonly Limit[] = [
  {
    at: "/id",
    role: "session",
    why: "a session id has 32 to 36 hexadecimal digits and dashes, so one was derived",
  },
  { at: "/timestamp", role: "session", why: "the time of a session is that of its first line" },
  { at: "/title", role: "session", why: "a title is a line of its own" },
  { at: "", role: "session", why: oneOnly },
  { at: "/id", why: "every line needs an id, so one was derived" },
  { at: "/parentId", why: "every line names the line before it" },
  { at: "/timestamp", why: "every line needs a time in whole milliseconds" },
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
    "/api": "a line does not name the API",
    "/provider": "a line names the model, not its provider",
    "/usage/cost": "a line has no cost",
    "/usage": "a line has only the number of tokens, and none for writing the cache",
    "/stopReason": "a line has no stop reason",
    "/errorMessage": "an answer has no error",
    "": "answers with the same id are read as one",
  }),
  ...limitsOf("toolResult", {
    "/details": "a result has only what the model is shown",
    "/content/*": "a result is one text, then media",
    "/content": "a result is one text, then media",
    "/isPending": "a result is final",
  }),
  ...limitsOf("compaction", {
    "/replacement": "a history holds contents, without times, models and usage",
    "/tokensBefore": "the number of tokens before a compression is at least 1",
  }),
  ...limitsOf("user", {
    "/content/*": "a message holds text and media",
    "/content": "a single text is not a list",
  }),
];
