import type { Limit } from "../../core/dialect.js";

const onlyTheFile = "the file holds only what users, assistants and tools said";

/** Why something has no place in a messages file; the more special reason stands first. */
export const limits: readonly Limit[] = [
  { at: "/parentId", why: "a messages file is one line of messages, without branches" },
  { at: "/sender", why: "a message says its role, not who sent it" },
  { at: "/ext/cline", role: "session", why: "the header says which kind of agent wrote it, and when" },
  { at: "/ext/cline", why: "it does not belong to a message of this kind" },
  { at: "/ext/synthesised", why: "the file has a neutral value there" },
  { at: "/ext/*", why: "only the dialect named in it can say it" },
  { at: "/ext", role: "session", why: "the header says which kind of agent wrote it, and when" },
  { at: "/ext", why: "only the dialects named in it can say it" },

  { at: "/id", role: "session", why: "a file always names its session" },
  { at: "/id", role: "toolResult", why: "tool results in a row are one message with one id" },
  { at: "/id", role: "system", why: "the system prompt is a text without an id" },
  { at: "/id", why: "every message has an id, so one was derived from what it says" },
  { at: "/timestamp", role: "user", why: "only assistant messages have a time" },
  { at: "/timestamp", role: "toolResult", why: "only assistant messages have a time" },
  { at: "/timestamp", role: "system", why: "the system prompt is a text without a time" },
  { at: "/timestamp", role: "session", why: "the file says when it was updated, not when the session began" },

  { at: "/key", role: "session", why: "a session has an id and no key" },
  { at: "/agent", role: "session", why: "the file says which kind of agent it is, not its name" },
  { at: "/title", role: "session", why: "a session has no title" },
  { at: "/parent", role: "session", why: "the file says that it is of a sub-agent, not of which call" },

  { at: "/content", role: "system", why: "the system prompt is one string" },
  {
    at: "",
    role: "system",
    why: "only a system message at the beginning, or right after the session message, has a place",
  },

  {
    at: "/content/*",
    role: "user",
    why: "the contract has no block for a picture, sound or file of a user, nor for blocks of other dialects",
  },
  { at: "/content", role: "user", why: "content is always an array of blocks" },

  {
    at: "/content/*",
    role: "toolResult",
    why: "a tool result there has text and images that it holds itself",
  },
  {
    at: "/toolName",
    role: "toolResult",
    why: "a result names its call, and the call is not in the same turn",
  },
  { at: "/details", role: "toolResult", why: "a result has only what the model is shown" },

  { at: "/content/*/argumentsError", role: "assistant", why: "a call has only its input" },
  {
    at: "/content/*",
    role: "assistant",
    why: "the contract has text, thinking and tool calls in an answer, and no other block",
  },
  { at: "/api", role: "assistant", why: "modelInfo has the model and its provider, not the API" },
  { at: "/stopReason", role: "assistant", why: "the file does not say why the model stopped" },
  { at: "/errorMessage", role: "assistant", why: "the file does not say how an attempt failed" },
  { at: "/usage/totalTokens", role: "assistant", why: "the total is not kept; a reader adds up the parts" },
  { at: "/usage/cost/total", role: "assistant", why: "metrics are the sum of a turn, on its last answer" },
  { at: "/usage/cost/*", role: "assistant", why: "only the total cost is kept" },
  { at: "/usage/cost", role: "assistant", why: "a cost of 0 there may also be one that is not known" },
  { at: "/usage", role: "assistant", why: "metrics are the sum of a turn, on its last answer" },
  {
    at: "",
    role: "assistant",
    why: "the contract has no place for it; an attempt that failed before any output leaves no message",
  },

  { at: "", role: "session", why: "a file has exactly one header, and it names a session" },
  { at: "", role: "status", why: onlyTheFile },
  { at: "", role: "error", why: onlyTheFile },
  { at: "", role: "agentComplete", why: onlyTheFile },
  { at: "", role: "agentMessage", why: onlyTheFile },
  { at: "", role: "compaction", why: onlyTheFile },
  { at: "", role: "custom", why: onlyTheFile },
];
