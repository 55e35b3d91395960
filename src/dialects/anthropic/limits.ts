import type { Limit } from "../../core/dialect.js";

/** Why a request cannot represent everything in a conversation. */
export const limits: readonly Limit[] = [
  { at: "/sender", why: "a message in a request has only a role and content" },
  { at: "/toolName", why: "a result names the call that it answers, not the tool" },
  { at: "/content/*/textSignature", why: "text has no signature" },
  { at: "/content/*/thoughtSignature", why: "calls have no signature" },
  { at: "/content/*/argumentsError", why: "a call has only its arguments" },
  { at: "/content/*/mimeType", why: "content sent by URL has no type; text files are plain text" },
  { at: "/content/*/name", why: "images have no name" },
  {
    at: "/content",
    role: "user",
    why: "the API does not accept this block, or the text follows tool results and is sent in their message",
  },
  { at: "/content", why: "the API does not accept this block, so the blocks after it move up" },
];
