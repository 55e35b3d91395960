import type { Limit } from "../../core/dialect.js";

const unsaidOfAnswers = "Timbal does not say which model answered, what it cost and why it stopped";
const signatures = "Timbal has no place for what a provider signed";

export const limits: readonly Limit[] = [
  { at: "/id", why: "Timbal ids are ULIDs in the order of the transcript, and this is not" },
  { at: "/parentId", why: "a Timbal transcript has no branches" },
  { at: "/timestamp", why: "Timbal times are whole milliseconds of the years 0 to 9999" },
  ...["/api", "/provider", "/model", "/usage", "/stopReason", "/errorMessage"].map((at) => ({
    at,
    role: "assistant",
    why: unsaidOfAnswers,
  })),
  ...["textSignature", "thinkingSignature", "thoughtSignature", "redacted"].map((name) => ({
    at: `/content/*/${name}`,
    why: signatures,
  })),
  { at: "/content/*/argumentsError", why: "Timbal does not say what is wrong with arguments" },
  { at: "/content", role: "user", why: "the content of a Timbal user message is one text" },
  { at: "/content", role: "toolResult", why: "a Timbal tool result is one text or one value" },
  { at: "/details", role: "toolResult", why: "a Timbal tool result is one text or one value" },
  { at: "/ext/synthesised", why: "it lists what Timbal does not say" },
  { at: "/ext/timbal", why: "the order of the transcript, or of its streams, does not allow it" },
  { at: "/ext/*", why: "only the dialect named in it can say it" },
  { at: "/ext", why: "it lists what Timbal does not say" },
];
