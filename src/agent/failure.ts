import { DragomanError, type ErrorCode, wordsOf } from "../core/error.js";
import { detailsOf, type Failure } from "../core/message/failure.js";
import { emptyUsage, markCutUsage } from "../core/message/usage.js";
import type { AssistantMessage, ErrorMessage } from "../core/types.js";
import type { AgentModel } from "./types.js";

/** What was thrown, with a code: that of the error, or `otherwise` for an error that is not ours. */
export function failureOf(error: unknown, otherwise: ErrorCode): Failure {
  if (!(error instanceof DragomanError)) return { message: wordsOf(error), code: otherwise };
  const { message, hint, code, details = {} } = error;
  return {
    message: hint === undefined ? message : `${message} (${hint})`,
    ...detailsOf({ ...details, code }),
  };
}

/** The answer of a model that has said nothing yet. No one has reported its API and its usage. */
export function emptyAnswer({ provider, id }: AgentModel, timestamp: number): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: "",
    provider,
    model: id,
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp,
    ext: { synthesised: ["/api", "/usage"] },
  };
}

/** The answer as far as it has come, ended by a failure, or by an abort if there is none. */
export function brokenAnswer(message: AssistantMessage, failure: Failure | undefined): AssistantMessage {
  const broken: AssistantMessage = { ...message, stopReason: "aborted" };
  markCutUsage(broken);
  if (failure === undefined) return broken;
  const { message: errorMessage, ...details } = failure;
  return { ...broken, stopReason: "error", errorMessage, ext: { ...broken.ext, failure: details } };
}

/** A line of the log that tells people of a failure that is not a model's. No model sees it. */
export function errorMessage({ message, code, retryable }: Failure, timestamp: number): ErrorMessage {
  return {
    role: "error",
    content: message,
    ...(code === undefined ? {} : { code }),
    ...(retryable === undefined ? {} : { recoverable: retryable }),
    timestamp,
  };
}
