import type { Limit } from "../../core/dialect.js";

const NOT_SAID = "a request to Gemini does not say it";
const OTHERS = "only the dialects named in it can say it";
const JOINED = "Gemini joins what one side says in a row, and a single text is the same as a list of one";

/** Why a request cannot say something. */
export const limits: readonly Limit[] = [
  { at: "/ext/synthesised", why: NOT_SAID },
  { at: "/ext", why: OTHERS },
  { at: "/content/*/ext", why: OTHERS },
  { at: "/sender", why: "a request to Gemini knows users and models, not which of them" },
  {
    at: "/toolName",
    role: "toolResult",
    why: "a function response has the name of the function that was called",
  },
  {
    at: "/content",
    role: "toolResult",
    why: "a function response is one text, with images and files behind it",
  },
  { at: "/content/*/redacted", why: "Gemini does not tell withheld thinking from empty thinking" },
  {
    at: "/content/*/argumentsError",
    why: "a call in a request to Gemini is taken to be as the model meant it",
  },
  { at: "/content", why: JOINED },
  { at: "", role: "user", why: JOINED },
  { at: "", role: "assistant", why: JOINED },
  { at: "", role: "system", why: "Gemini takes one system prompt, at the beginning" },
  { at: "", role: "session", why: "a request to Gemini is a single call, not a session" },
];
