import type { Limit } from "../../core/dialect.js";

/** Why a request cannot represent everything in a conversation. */
export const limits: readonly Limit[] = [
  { at: "", role: "session", why: "a request names its model, not its session" },
  {
    at: "",
    role: "status",
    why: "a request contains what the model is shown, not the agent's status",
  },
  { at: "", role: "error", why: "errors shown to users are not shown to the model" },
  { at: "", role: "agentComplete", why: "a request has no messages from other agents" },
  { at: "", role: "agentMessage", why: "a request has no messages from other agents" },
  { at: "", role: "compaction", why: "a request does not record where it was compacted" },
  { at: "", role: "custom", why: "a request has no custom messages" },
  {
    at: "/sender",
    why: "only user, assistant and system messages have a name, up to 64 characters without spaces",
  },
  { at: "/isError", role: "toolResult", why: "a result is text, without an error flag" },
  { at: "/toolName", role: "toolResult", why: "a result names its call; the call names the tool" },
  {
    at: "/content/*/name",
    role: "assistant",
    why: "a tool name has up to 64 letters, digits, _ or -",
  },
  { at: "/content/*/textSignature", why: "text has no signature" },
  { at: "/content", role: "toolResult", why: "a result is one text; its images follow in a user message" },
  { at: "/content", role: "assistant", why: "an answer is thinking, one text and calls, in this order" },
  {
    at: "/content",
    role: "user",
    why: "a single text is sent as a plain string, which every server accepts",
  },
];
