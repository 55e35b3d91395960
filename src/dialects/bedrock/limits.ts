import type { Limit } from "../../core/dialect.js";

/** Why a request cannot represent everything in a conversation. */
export const limits: readonly Limit[] = [
  { at: "/sender", why: "a message in a request has only a role and content" },
  { at: "/toolName", why: "a result names the call that it answers, not the tool" },
  { at: "/content/*/textSignature", why: "text has no signature" },
  { at: "/content/*/thoughtSignature", why: "calls have no signature" },
  { at: "/content/*/argumentsError", why: "a call has only its arguments" },
  { at: "/content/*/mimeType", why: "a document has a format instead of a type; other text is txt" },
  { at: "/content/*/name", why: "images have no name, and document names have few characters" },
  { at: "/content/*/detail", why: "images have no detail" },
  {
    at: "/content",
    why: "the API does not accept this block, or the message was merged with the one before it because roles alternate",
  },
];
