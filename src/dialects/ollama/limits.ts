import type { Limit } from "../../core/dialect.js";

/** Why a request cannot carry everything that a conversation says. */
export const limits: readonly Limit[] = [
  { at: "/sender", why: "a request does not say who among the users spoke" },
  { at: "/isError", role: "toolResult", why: "Ollama has no mark for results that are errors" },
  { at: "/content", why: "a message has one text, one list of images by bytes and one list of calls" },
];
