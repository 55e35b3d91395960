import type { Limit } from "../../core/dialect.js";

const learned = "an example contains what the model is shown and learns to answer";

export const limits: readonly Limit[] = [
  { at: "/id", why: "the messages of an example have no ids" },
  { at: "/parentId", why: "an example is one branch" },
  { at: "/timestamp", why: "an example does not state when a message was sent" },
  { at: "/sender", why: "only a user has a name, of up to 64 letters, digits, _ or -" },
  ...["/api", "/provider", "/model", "/usage", "/stopReason", "/errorMessage"].map((at) => ({
    at,
    role: "assistant",
    why: "an example does not state which model gave an answer, what it cost or how it ended",
  })),
  { at: "/isError", role: "toolResult", why: "a result is text, without an error flag" },
  { at: "/toolName", role: "toolResult", why: "a result names its call; the call names the tool" },
  { at: "/details", role: "toolResult", why: "a result contains only what the model is shown" },
  { at: "/content", role: "toolResult", why: "a result is one text" },
  { at: "/content/*/thinking", why: "an example contains no thinking" },
  {
    at: "/content",
    role: "assistant",
    why: "an answer is one text and its calls; a call needs a result, an id, and a name of up to 64 letters, digits, _ or -",
  },
  { at: "/content", role: "user", why: "a user message is one text, or texts and JPEG, PNG or WebP images" },
  { at: "/content", role: "system", why: "a system message is one text" },
  { at: "", role: "user", why: "an example ends with the last complete answer, and has no empty messages" },
  { at: "", role: "system", why: "an example ends with the last complete answer, and has no empty messages" },
  {
    at: "",
    role: "assistant",
    why: "an example ends with the last complete answer, and has no empty answers",
  },
  { at: "", role: "toolResult", why: "a result follows the answer that called the tool" },
  { at: "", role: "session", why: "an example has no header; it contains only the tools" },
  { at: "", role: "compaction", why: "an example contains the messages, not their summary" },
  ...["status", "error", "agentComplete", "agentMessage", "custom"].map((role) => ({
    at: "",
    role,
    why: learned,
  })),
];
