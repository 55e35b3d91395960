import { type AssistantMessage, type ErrorMessage, failureIn } from "dragoman/core";
import { texts } from "../text/texts.js";
import type { NotePart } from "./parts.js";

/** More specific titles by HTTP status. */
const statuses: readonly (readonly [RegExp, "rateLimit" | "rejectedKey" | "providerTrouble"])[] = [
  [/\b429\b|rate.?limit/i, "rateLimit"],
  [/\b(401|403)\b/, "rejectedKey"],
  [/\b5\d\d\b|overloaded/i, "providerTrouble"],
];

/** The note for an error. */
export function errorNote(message: ErrorMessage | AssistantMessage): NotePart {
  const { message: text, code } = failureIn(message) ?? { message: "" };
  const status = code === "provider/http" || code === undefined ? text : undefined;
  const specific = statuses.find(([pattern]) => status !== undefined && pattern.test(status))?.[1];
  const titles = new Map(Object.entries(texts.transcript.failures));
  // The provider's own message is shown below.
  const title = titles.get(specific ?? code ?? "") ?? texts.transcript.failures.unknown;
  return { type: "note", tone: "error", title, ...(text === "" ? {} : { text }) };
}
