import type { Limit } from "../../core/dialect.js";

/** Why a request cannot represent everything in a conversation. */
export const limits: readonly Limit[] = [
  { at: "/sender", why: "a request has no field for the sender" },
  { at: "/content/*/textSignature", why: "it is not the id of one of this API's message items" },
  { at: "/content/*/thinkingSignature", why: "it is not one of this API's reasoning items" },
  { at: "/content/*/thoughtSignature", why: "calls in this API have no signature" },
  {
    at: "/content/*/argumentsError",
    why: "a call has only its arguments, as the model wrote them",
  },
  {
    at: "/content",
    role: "assistant",
    why: "answers contain text, reasoning, calls and this API's items; consecutive answers are merged",
  },
  { at: "/content", why: "messages contain text, images, files and this API's own parts" },
  { at: "/isError", role: "toolResult", why: "a result is text, without an error flag" },
  { at: "/toolName", role: "toolResult", why: "a result names its call, not the tool" },
  { at: "", role: "session", why: "a request has no session" },
  { at: "", role: "status", why: "it is not shown to the model" },
  { at: "", role: "error", why: "it is not shown to the model" },
];
