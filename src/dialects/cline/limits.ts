import type { Limit } from "../../core/dialect.js";

const onlyTheFile = "the file holds only user, assistant and tool messages";

/** Why something has no place in a messages file; the more special reason stands first. */
export const limits: readonly Limit[] = [
  { at: "/parentId", why: "a messages file is linear, without branches" },
  { at: "/sender", why: "a message has a role but no sender" },
  {
    at: "/ext/cline",
    role: "session",
    why: "the header records only the kind of agent that wrote it, and when",
  },
  { at: "/ext/cline", why: "it does not apply to this kind of message" },
  { at: "/ext/synthesised", why: "the file has a neutral value there" },
  { at: "/ext/*", why: "only the dialect named in it can represent it" },
  { at: "/ext", role: "session", why: "the header records only the kind of agent that wrote it, and when" },
  { at: "/ext", why: "only the dialects named in it can represent it" },

  { at: "/id", role: "session", why: "a file always names its session" },
  { at: "/id", role: "toolResult", why: "consecutive tool results are one message with one id" },
  { at: "/id", role: "system", why: "the system prompt is plain text without an id" },
  { at: "/id", why: "every message needs an id, so one was derived from its content" },
  { at: "/timestamp", role: "user", why: "only assistant messages have a time" },
  { at: "/timestamp", role: "toolResult", why: "only assistant messages have a time" },
  { at: "/timestamp", role: "system", why: "the system prompt is plain text without a time" },
  {
    at: "/timestamp",
    role: "session",
    why: "the file records when it was updated, not when the session began",
  },

  { at: "/key", role: "session", why: "a session has an id but no key" },
  { at: "/agent", role: "session", why: "the file records the kind of agent, not its name" },
  { at: "/title", role: "session", why: "a session has no title" },
  {
    at: "/parent",
    role: "session",
    why: "the file records that it belongs to a sub-agent, but not to which call",
  },

  { at: "/content", role: "system", why: "the system prompt is one string" },
  {
    at: "",
    role: "system",
    why: "only a system message at the start, or right after the session message, can be stored",
  },

  {
    at: "/content/*",
    role: "user",
    why: "the contract has no block for a user's images, audio or files, nor for other dialects' blocks",
  },
  { at: "/content", role: "user", why: "content is always an array of blocks" },

  {
    at: "/content/*",
    role: "toolResult",
    why: "a tool result holds only text and embedded images",
  },
  {
    at: "/toolName",
    role: "toolResult",
    why: "a result names its call, and the call is not in the same turn",
  },
  { at: "/details", role: "toolResult", why: "a result holds only what the model is shown" },

  { at: "/content/*/argumentsError", role: "assistant", why: "a call has only its input" },
  {
    at: "/content/*",
    role: "assistant",
    why: "an answer holds only text, thinking and tool calls",
  },
  { at: "/api", role: "assistant", why: "modelInfo has the model and its provider, not the API" },
  { at: "/stopReason", role: "assistant", why: "the file does not record why the model stopped" },
  { at: "/errorMessage", role: "assistant", why: "the file does not record how an attempt failed" },
  { at: "/usage/totalTokens", role: "assistant", why: "the total is not stored; readers add up the parts" },
  { at: "/usage/cost/total", role: "assistant", why: "metrics are stored per turn, on its last answer" },
  { at: "/usage/cost/*", role: "assistant", why: "only the total cost is stored" },
  { at: "/usage/cost", role: "assistant", why: "a cost of 0 can also mean an unknown cost" },
  { at: "/usage", role: "assistant", why: "metrics are stored per turn, on its last answer" },
  {
    at: "",
    role: "assistant",
    why: "the contract has no field for it; an attempt that failed before any output leaves no message",
  },

  { at: "", role: "session", why: "a file has exactly one header, and it names a session" },
  { at: "", role: "status", why: onlyTheFile },
  { at: "", role: "error", why: onlyTheFile },
  { at: "", role: "agentComplete", why: onlyTheFile },
  { at: "", role: "agentMessage", why: onlyTheFile },
  { at: "", role: "compaction", why: onlyTheFile },
  { at: "", role: "custom", why: onlyTheFile },
];
