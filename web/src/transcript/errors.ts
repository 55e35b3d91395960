import { type AssistantMessage, type ErrorMessage, failureIn } from "dragoman/core";
import type { NotePart } from "./parts.js";

/** What went wrong, in plain words, by the code of the error. What the provider said is below it. */
const words: Readonly<Record<string, string>> = {
  "provider/no-key": "There is no key for this model",
  "provider/quota": "The account at the provider is out of credit",
  "provider/context-overflow": "The conversation is too long for this model",
  "provider/network": "The provider could not be reached",
  "provider/unknown": "There is no such model",
  "provider/http": "The provider refused the request",
  "provider/bad-response": "The provider answered with something that makes no sense",
  "provider/failed": "The model broke off",
  "stream/stalled": "The model stopped sending",
  "agent/length-limit": "The answers of the model were cut off twice in a row",
  "agent/max-turns": "The agent took too many steps and was stopped",
  "agent/not-compacted": "The conversation could not be summarised",
  "log/disk-full": "The disk is full",
};

/** Some servers refuse with a status of their own meaning. */
const statuses: readonly (readonly [RegExp, string])[] = [
  [/\b429\b|rate.?limit/i, "The provider is asking to slow down"],
  [/\b(401|403)\b/, "The provider does not accept the key"],
  [/\b5\d\d\b|overloaded/i, "The provider is having trouble"],
];

/** The note that tells of an error. */
export function errorNote(message: ErrorMessage | AssistantMessage): NotePart {
  const { message: said, code, retryable: recoverable } = failureIn(message) ?? { message: "" };
  const status = code === "provider/http" || code === undefined ? said : undefined;
  const meant = statuses.find(([pattern]) => status !== undefined && pattern.test(status))?.[1];
  const title = meant ?? words[code ?? ""] ?? "Something went wrong";
  return {
    type: "note",
    tone: "error",
    title,
    ...(said === "" ? {} : { text: said }),
    ...(recoverable === undefined ? {} : { recoverable }),
  };
}
