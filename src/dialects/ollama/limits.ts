import type { Limit } from "../../core/dialect.js";

/** Why a request cannot represent everything in a conversation. */
export const limits: readonly Limit[] = [
  { at: "/sender", why: "a request has no field for the sender" },
  { at: "/isError", role: "toolResult", why: "Ollama has no error flag for results" },
  { at: "/content", why: "a message has one text, one list of images as bytes and one list of calls" },
];
