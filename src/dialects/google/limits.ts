import type { Limit } from "../../core/dialect.js";

const NOT_SAID = "a request to Gemini does not say it";
const EARLIER =
  "a request to Gemini does not say who gave earlier answers, what they cost and why they ended";
const OTHERS = "only the dialects named in it can say it";
const JOINED = "Gemini joins what one side says in a row, and a single text is the same as a list of one";

/** Why a request cannot say something. */
export const limits: readonly Limit[] = [
  { at: "/ext/synthesised", why: NOT_SAID },
  { at: "/ext", why: OTHERS },
  { at: "/content/*/ext", why: OTHERS },
  { at: "/timestamp", why: NOT_SAID },
  { at: "/id", why: "the contents of a request to Gemini have no ids" },
  { at: "/parentId", why: "a request to Gemini is one branch" },
  { at: "/sender", why: "a request to Gemini knows users and models, not which of them" },
  { at: "/usage", why: EARLIER },
  { at: "/stopReason", why: EARLIER },
  { at: "/errorMessage", why: EARLIER },
  { at: "/api", why: EARLIER },
  { at: "/provider", why: EARLIER },
  { at: "/model", why: EARLIER },
  {
    at: "/toolName",
    role: "toolResult",
    why: "a function response has the name of the function that was called",
  },
  { at: "/details", role: "toolResult", why: "Gemini is shown the result of a tool, not its details" },
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
