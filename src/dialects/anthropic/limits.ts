import type { Limit } from "../../core/dialect.js";

const message = "a message of a request has a role and content, nothing else";

/** Why a request cannot carry everything that a conversation says. */
export const limits: readonly Limit[] = [
  { at: "/timestamp", why: message },
  { at: "/id", why: message },
  { at: "/parentId", why: message },
  { at: "/sender", why: message },
  { at: "/api", why: "a request does not say which API an earlier answer came from" },
  { at: "/provider", why: "a request does not say who gave an earlier answer" },
  { at: "/model", why: "a request does not say which model gave an earlier answer" },
  { at: "/usage", why: "a request does not say what an earlier answer took" },
  { at: "/stopReason", why: "a request does not say how an earlier answer ended" },
  { at: "/errorMessage", why: "a request does not say that an earlier answer failed" },
  { at: "/toolName", why: "a result names the call that it answers, not the tool" },
  { at: "/details", why: "a result holds what the model is shown, nothing else" },
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
