import type { StopReason } from "../../core/types.js";

/** The meaning of finish reasons with which Google ends an answer early. */
const FAILURES: Readonly<Record<string, string>> = {
  SAFETY: "the answer may be unsafe",
  RECITATION: "the answer may repeat a source word for word",
  LANGUAGE: "the language is not supported",
  BLOCKLIST: "the answer contains a blocked term",
  PROHIBITED_CONTENT: "the answer may contain prohibited content",
  SPII: "the answer may contain personal data",
  MALFORMED_FUNCTION_CALL: "the model made a malformed call",
  UNEXPECTED_TOOL_CALL: "the model called a tool that it was not given",
  TOO_MANY_TOOL_CALLS: "the model called too many tools in a row",
  MISSING_THOUGHT_SIGNATURE: "the request lacks a thought signature",
  MALFORMED_RESPONSE: "the model's answer cannot be read",
  IMAGE_SAFETY: "the image may be unsafe",
  IMAGE_PROHIBITED_CONTENT: "the image may have prohibited content",
  IMAGE_RECITATION: "the image may repeat a source",
  IMAGE_OTHER: "no image could be generated",
  NO_IMAGE: "the model generated no image",
  OTHER: "Google gave no reason",
};

export type Ending =
  | { reason: Exclude<StopReason, "error" | "aborted"> }
  | { reason: "error"; message: string };

/**
 * How an answer ended. An unknown reason counts as a failure, like all those that Google has added so far, unless the
 * answer has calls: they are complete and must reach the caller.
 */
export function readEnding(finishReason: string, calls: boolean, finishMessage: unknown): Ending {
  switch (finishReason) {
    case "STOP":
      return { reason: calls ? "toolUse" : "stop" };
    case "MAX_TOKENS":
    case "CONTINUATION":
      return { reason: "length" };
    default: {
      const known = Object.hasOwn(FAILURES, finishReason) ? FAILURES[finishReason] : undefined;
      if (known === undefined && calls) return { reason: "toolUse" };
      const why = typeof finishMessage === "string" && finishMessage !== "" ? finishMessage : known;
      return {
        reason: "error",
        message: `Google ended the answer with ${finishReason}${why === undefined ? "" : `: ${why}`}`,
      };
    }
  }
}

/** Whether a reason follows from our stop reason, so that it needs no note. */
export function isPlain(finishReason: string): boolean {
  return finishReason === "STOP" || finishReason === "MAX_TOKENS";
}

/** The finish reason for an answer without a noted one. */
export function writeEnding(reason: StopReason): "STOP" | "MAX_TOKENS" | "OTHER" {
  switch (reason) {
    case "stop":
    case "toolUse":
      return "STOP";
    case "length":
      return "MAX_TOKENS";
    case "error":
    case "aborted":
      return "OTHER";
  }
}
