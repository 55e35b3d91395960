import type { Limit } from "../../core/dialect.js";
import { limitsOf } from "../../core/records/role-limits.js";

const otherRole = "the file holds only user, assistant and tool messages";
const headerOnly = "the header records only the kind of agent that wrote it, and when";
const answersOnly = "only assistant messages have a time";
const perTurn = "metrics are stored per turn, on its last answer";

/** Why something cannot be stored in a messages file; the first match applies. */
export const limits: readonly Limit[] = [
  { at: "/parentId", why: "a messages file is linear, without branches" },
  { at: "/sender", why: "a message has a role but no sender" },
  { at: "/ext/cline", role: "session", why: headerOnly },
  { at: "/ext/cline", why: "it does not apply to this kind of message" },
  { at: "/ext/synthesised", why: "the file has a neutral value there" },
  { at: "/ext/*", why: "only the dialect named in it can represent it" },
  { at: "/ext", role: "session", why: headerOnly },
  { at: "/ext", why: "only the dialects named in it can represent it" },

  ...limitsOf("session", {
    "/id": "a file always names its session",
    "/timestamp": "the file records when it was updated, not when the session began",
    "/key": "a session has an id but no key",
    "/agent": "the file records the kind of agent, not its name",
    "/title": "a session has no title",
    "/parent": "the file records that it belongs to a sub-agent, but not to which call",
    "": "a file has exactly one header, and it names a session",
  }),
  ...limitsOf("system", {
    "/id": "the system prompt is plain text without an id",
    "/timestamp": "the system prompt is plain text without a time",
    "/content": "the system prompt is one string",
    "": "only a system message at the start, or right after the session message, can be stored",
  }),
  ...limitsOf("toolResult", {
    "/id": "consecutive tool results are one message with one id",
    "/timestamp": answersOnly,
    "/content/*": "a tool result holds only text and embedded images",
    "/toolName": "a result names its call, and the call is not in the same turn",
    "/details": "a result holds only what the model is shown",
  }),
  { at: "/id", why: "every message needs an id, so one was derived from its content" },
  ...limitsOf("user", {
    "/timestamp": answersOnly,
    "/content/*":
      "the contract has no block for a user's images, audio or files, nor for other dialects' blocks",
    "/content": "content is always an array of blocks",
  }),
  ...limitsOf("assistant", {
    "/content/*/argumentsError": "a call has only its input",
    "/content/*": "an answer holds only text, thinking and tool calls",
    "/api": "modelInfo has the model and its provider, not the API",
    "/stopReason": "the file does not record why the model stopped",
    "/errorMessage": "the file does not record how an attempt failed",
    "/usage/totalTokens": "the total is not stored; readers add up the parts",
    "/usage/cost/total": perTurn,
    "/usage/cost/*": "only the total cost is stored",
    "/usage/cost": "a cost of 0 can also mean an unknown cost",
    "/usage": perTurn,
    "": "the contract has no field for it; an attempt that failed before any output leaves no message",
  }),
  ...["status", "error", "agentComplete", "agentMessage", "compaction", "custom"].map((role) => ({
    at: "",
    role,
    why: otherRole,
  })),
];
