import { DragomanError, type ErrorCode, wordsOf } from "../core/error.js";
import { isObject } from "../core/json/value.js";
import type { AssistantMessage, ErrorMessage } from "../core/types.js";

/** Why a model gave no answer, or only half of one. */
export interface Failure {
  message: string;
  code: string;
  recoverable?: boolean;
}

/** What was thrown, with a code: that of the error, or `otherwise` for what is none of ours. */
export function failureOf(error: unknown, otherwise: ErrorCode): Failure {
  if (!(error instanceof DragomanError)) return { message: wordsOf(error), code: otherwise };
  const retryable = error.details?.["retryable"];
  return {
    message: error.hint === undefined ? error.message : `${error.message} (${error.hint})`,
    code: error.code,
    ...(typeof retryable === "boolean" ? { recoverable: retryable } : {}),
  };
}

/** Why an answer ended in an error. */
export function failureOfAnswer({ errorMessage, ext }: AssistantMessage): Failure {
  const noted = ext?.["failure"];
  const code = isObject(noted) && typeof noted["code"] === "string" ? noted["code"] : "provider/failed";
  return { message: errorMessage ?? "the model failed without saying why", code };
}

/** The line of the log that tells people of it. No model sees it. */
export function errorMessage({ message, code, recoverable }: Failure, timestamp: number): ErrorMessage {
  return {
    role: "error",
    content: message,
    code,
    ...(recoverable === undefined ? {} : { recoverable }),
    timestamp,
  };
}
