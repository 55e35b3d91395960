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
  { at: "/timestamp", why: "the messages of a request have no time" },
  { at: "/id", why: "the messages of a request have no id" },
  { at: "/parentId", why: "a request is linear" },
  {
    at: "/sender",
    why: "only users, answers and the system have a name, of up to 64 characters without spaces",
  },
  { at: "/usage", role: "assistant", why: "a request does not say what earlier answers cost" },
  { at: "/api", role: "assistant", why: "a request does not say who gave earlier answers" },
  { at: "/provider", role: "assistant", why: "a request does not say who gave earlier answers" },
  { at: "/model", role: "assistant", why: "a request does not say which model gave earlier answers" },
  { at: "/stopReason", role: "assistant", why: "a request does not say how earlier answers ended" },
  { at: "/errorMessage", role: "assistant", why: "a request does not say how earlier answers ended" },
  { at: "/isError", role: "toolResult", why: "a result is text; only the text can say that the tool failed" },
  { at: "/details", role: "toolResult", why: "a result is text for the model, without data for programs" },
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
