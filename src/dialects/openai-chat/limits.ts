import type { Limit } from "../../core/dialect.js";

/** Why a request cannot carry everything that a conversation says. */
export const limits: readonly Limit[] = [
  { at: "", role: "session", why: "a request says which model is asked, not which session it belongs to" },
  {
    at: "",
    role: "status",
    why: "a request holds what the model is shown, not what the agent was busy with",
  },
  { at: "", role: "error", why: "errors shown to people are not shown to a model" },
  { at: "", role: "agentComplete", why: "a request has no message of another agent" },
  { at: "", role: "agentMessage", why: "a request has no message of another agent" },
  { at: "", role: "compaction", why: "a request has no mark of where it was shortened" },
  { at: "", role: "custom", why: "a request has no messages of programs" },
  {
    at: "/sender",
    why: "only users, answers and the system have a name, of up to 64 characters without spaces",
  },
  { at: "/isError", role: "toolResult", why: "a result is text; only the text can say that the tool failed" },
  { at: "/toolName", role: "toolResult", why: "a result names its call; the call names the tool" },
  {
    at: "/content/*/name",
    role: "assistant",
    why: "the name of a tool is letters, digits, _ and -, up to 64",
  },
  { at: "/content/*/textSignature", why: "text is not signed" },
  { at: "/content", role: "toolResult", why: "a result is one text; its images follow in a user message" },
  { at: "/content", role: "assistant", why: "an answer is thinking, one text and calls, in this order" },
  { at: "/content", role: "user", why: "one text is sent as a plain string, which every server takes" },
];
