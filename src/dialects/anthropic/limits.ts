import type { Limit } from "../../core/dialect.js";

/** Why a request cannot carry everything that a conversation says. */
export const limits: readonly Limit[] = [
  { at: "/sender", why: "a message of a request has a role and content, nothing else" },
  { at: "/toolName", why: "a result names the call that it answers, not the tool" },
  { at: "/content/*/textSignature", why: "texts have no signatures here" },
  { at: "/content/*/thoughtSignature", why: "calls have no signatures here" },
  { at: "/content/*/argumentsError", why: "a call holds its arguments, nothing else" },
  { at: "/content/*/mimeType", why: "what is sent by its address has no type; text files are plain text" },
  { at: "/content/*/name", why: "images have no names here" },
  {
    at: "/content",
    role: "user",
    why: "the API takes no such block, or the text follows results and became a block of their message",
  },
  { at: "/content", why: "the API takes no such block, so that those after it move up" },
];
