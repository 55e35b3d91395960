import type { Limit } from "../../core/dialect.js";

const notRecorded = "Timbal does not record the model, its cost or the stop reason";
const signatures = "Timbal has no field for provider signatures";
const notListed = "it lists what Timbal does not record";
const oneValue = "a Timbal tool result is one text or one value";

export const limits: readonly Limit[] = [
  { at: "/id", why: "Timbal ids are ULIDs in transcript order, and this one is not" },
  { at: "/parentId", why: "a Timbal transcript has no branches" },
  { at: "/timestamp", why: "Timbal times are whole milliseconds of the years 0 to 9999" },
  ...["/api", "/provider", "/model", "/usage", "/stopReason", "/errorMessage"].map((at) => ({
    at,
    role: "assistant",
    why: notRecorded,
  })),
  ...["textSignature", "thinkingSignature", "thoughtSignature", "redacted"].map((name) => ({
    at: `/content/*/${name}`,
    why: signatures,
  })),
  { at: "/content/*/argumentsError", why: "Timbal does not record what is wrong with arguments" },
  { at: "/content", role: "user", why: "the content of a Timbal user message is one text" },
  { at: "/content", role: "toolResult", why: oneValue },
  { at: "/details", role: "toolResult", why: oneValue },
  { at: "/ext/synthesised", why: notListed },
  { at: "/ext/timbal", why: "the order of the transcript, or of its streams, does not allow it" },
  { at: "/ext/*", why: "only the dialect named in it can represent it" },
  { at: "/ext", why: notListed },
];
