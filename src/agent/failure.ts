import { DragomanError, type ErrorCode, wordsWithHint } from "../core/error.js";
import { detailsOf, type Failure } from "../core/message/failure.js";
import { emptyUsage, markCutUsage } from "../core/message/usage.js";
import type { AssistantMessage, ErrorMessage } from "../core/types.js";
import type { AgentModel } from "./types.js";

/** A thrown error with its code, or with `fallback` if it is not a DragomanError. */
export function failureOf(error: unknown, fallback: ErrorCode): Failure {
  const message = wordsWithHint(error);
  if (!(error instanceof DragomanError)) return { message, code: fallback };
  const { code, details = {} } = error;
  return { message, ...detailsOf({ ...details, code }) };
}

/** An answer without content yet. Its API and usage are unknown. */
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

/** A partial answer, ended by the failure, or by an abort if there is none. */
export function brokenAnswer(message: AssistantMessage, failure: Failure | undefined): AssistantMessage {
  const broken: AssistantMessage = { ...message, stopReason: "aborted" };
  markCutUsage(broken);
  if (failure === undefined) return broken;
  const { message: errorMessage, ...details } = failure;
  return { ...broken, stopReason: "error", errorMessage, ext: { ...broken.ext, failure: details } };
}

/** A log line that reports a failure other than the model's to the user. Models are not shown it. */
export function errorMessage({ message, code, retryable }: Failure, timestamp: number): ErrorMessage {
  return {
    role: "error",
    content: message,
    ...(code === undefined ? {} : { code }),
    ...(retryable === undefined ? {} : { recoverable: retryable }),
    timestamp,
  };
}
