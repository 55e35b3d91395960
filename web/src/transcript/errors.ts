import { type AssistantMessage, type ErrorMessage, failureIn } from "dragoman/core";
import type { NotePart } from "./parts.js";

/** Titles by error code. The provider's own message is shown below. */
const titles: Readonly<Record<string, string>> = {
  "provider/no-key": "No API key for this model",
  "provider/quota": "The provider account is out of credit",
  "provider/context-overflow": "The conversation is too long for this model",
  "provider/network": "The provider could not be reached",
  "provider/unknown": "Unknown model",
  "provider/http": "The provider rejected the request",
  "provider/bad-response": "The provider sent an invalid response",
  "provider/failed": "The model failed mid-answer",
  "stream/stalled": "The model stopped sending",
  "agent/length-limit": "The model's answers were cut off twice in a row",
  "agent/max-turns": "The agent was stopped after too many steps",
  "agent/not-compacted": "The conversation could not be summarised",
  "log/disk-full": "The disk is full",
};

/** More specific titles by HTTP status. */
const statuses: readonly (readonly [RegExp, string])[] = [
  [/\b429\b|rate.?limit/i, "The provider's rate limit was reached"],
  [/\b(401|403)\b/, "The provider rejected the API key"],
  [/\b5\d\d\b|overloaded/i, "The provider is having trouble"],
];

/** The note for an error. */
export function errorNote(message: ErrorMessage | AssistantMessage): NotePart {
  const { message: text, code } = failureIn(message) ?? { message: "" };
  const status = code === "provider/http" || code === undefined ? text : undefined;
  const specific = statuses.find(([pattern]) => status !== undefined && pattern.test(status))?.[1];
  const title = specific ?? titles[code ?? ""] ?? "Something went wrong";
  return { type: "note", tone: "error", title, ...(text === "" ? {} : { text }) };
}
