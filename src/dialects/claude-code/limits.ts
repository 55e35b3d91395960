import type { Limit } from "../../core/dialect.js";
import { limitsOf } from "../../core/records/role-limits.js";

const oneOnly = "a file has one session, and only its id and title";

/** Why something cannot be stored in a session file; the first match applies. */
export const limits: readonly Limit[] = [
  { at: "/id", role: "session", why: "a session id is a UUID, so one was derived from it" },
  { at: "/timestamp", role: "session", why: "the time of a session is that of its first line" },
  { at: "/ext", role: "session", why: oneOnly },
  { at: "", role: "session", why: oneOnly },
  { at: "/id", why: "every line needs a UUID, so one was derived" },
  { at: "/parentId", why: "every line names the line before it by its UUID" },
  { at: "/timestamp", why: "every line needs a time in whole milliseconds" },
  { at: "/sender", why: "a line has no sender" },
  { at: "/ext/synthesised", why: "the file does not mark values that were filled in" },
  { at: "/ext", why: "only the dialects named in it can represent it" },
  { at: "/content/*/ext", why: "only the dialects named in it can represent it" },
  { at: "/content/*/textSignature", why: "text has no signature" },
  ...limitsOf("assistant", {
    "/content/*/id": "the API accepts only letters, digits, _ and - in the id of a call",
    "/content/*/thinkingSignature": "only thinking that Anthropic has signed can be sent back",
    "/content/*/argumentsError": "a call has only its input",
    "/content/*": "an answer holds non-empty text, calls, and thinking that Anthropic has signed",
    "/api": "answers come through the Anthropic API",
    "/provider": "a line names the model, not its provider",
    "/usage/totalTokens": "the total is the sum of the parts",
    "/usage/cost": "a line has no cost",
    "/usage": "a line has only the number of tokens",
    "/stopReason": "an answer that broke off has no stop reason",
    "/errorMessage": "an answer has no error",
    "": "nothing of it can be sent to Claude",
  }),
  ...limitsOf("toolResult", {
    "/toolCallId": "the API accepts only letters, digits, _ and - in the id of a call",
    "/toolName": "a result names its call, not its tool",
    "/details": "Claude Code expects the structures of its own tools there",
    "/content/*": "a result holds text, images and PDF files",
    "/isPending": "a result is final",
  }),
  ...limitsOf("compaction", {
    "/verbatim": "a summary is shown to the model as it is",
    "/replacement": "a compaction has a summary, not another history",
    "/firstKeptId": "messages are named by the UUIDs of their lines",
    "/keptIds": "messages are named by the UUIDs of their lines",
    "/details": "a boundary has no place for it",
  }),
  ...limitsOf("user", { "/content/*": "a message holds text, images and PDF files" }),
  ...limitsOf("error", { "/recoverable": "an error has only its text and its code" }),
  ...limitsOf("system", {
    "/content/*": "text for the model is plain text",
    "/content": "text for the model is plain text",
  }),
  { at: "", why: "a file starts with a prompt, because Claude Code does not list it otherwise" },
];
