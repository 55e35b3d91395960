import type { Limit } from "../../core/dialect.js";

/** Why a request cannot carry everything that a conversation says. */
export const limits: readonly Limit[] = [
  { at: "/timestamp", why: "a request does not say when a message was sent" },
  { at: "/id", why: "messages of a request have no ids" },
  { at: "/sender", why: "a request does not say who among the users spoke" },
  { at: "/api", role: "assistant", why: "a request does not say who answered" },
  { at: "/provider", role: "assistant", why: "a request does not say who answered" },
  { at: "/model", role: "assistant", why: "a request does not say who answered" },
  { at: "/usage", role: "assistant", why: "a request does not say what an answer cost" },
  { at: "/stopReason", role: "assistant", why: "a request does not say why an answer ended" },
  { at: "/errorMessage", role: "assistant", why: "a request does not say why an answer ended" },
  { at: "/isError", role: "toolResult", why: "Ollama has no mark for results that are errors" },
  { at: "/details", role: "toolResult", why: "details are not for the model" },
  { at: "/content", why: "a message has one text, one list of images by bytes and one list of calls" },
];
