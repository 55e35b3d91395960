import type { Limit } from "../../core/dialect.js";

const NO_FIELD = "a Gemini request has no field for it";
const OTHERS = "only the dialects named in it can represent it";
const JOINED = "Gemini merges consecutive messages with one role, and a single text equals a list of one";

/** Why a request cannot represent everything in a conversation. */
export const limits: readonly Limit[] = [
  { at: "/ext/synthesised", why: NO_FIELD },
  { at: "/ext", why: OTHERS },
  { at: "/content/*/ext", why: OTHERS },
  { at: "/sender", why: "a Gemini request has roles but no senders" },
  {
    at: "/toolName",
    role: "toolResult",
    why: "a function response has the name of the function that was called",
  },
  {
    at: "/content",
    role: "toolResult",
    why: "a function response is one text followed by images and files",
  },
  { at: "/content/*/redacted", why: "Gemini does not distinguish redacted thinking from empty thinking" },
  {
    at: "/content/*/argumentsError",
    why: "a call in a Gemini request cannot be marked as malformed",
  },
  { at: "/content", why: JOINED },
  { at: "", role: "user", why: JOINED },
  { at: "", role: "assistant", why: JOINED },
  { at: "", role: "system", why: "Gemini accepts one system prompt, at the start" },
  { at: "", role: "session", why: "a Gemini request is a single call, not a session" },
];
