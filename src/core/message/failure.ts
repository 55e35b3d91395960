import { isObject } from "../json/value.js";
import type { AgentMessage, AssistantMessage } from "../types.js";

/** Why there is no answer, or only half of one. An answer has it in `errorMessage` and `ext.failure`. */
export interface Failure {
  message: string;
  /** `area/reason`; absent where the source has no code. */
  code?: string;
  /** The status of the provider's HTTP response. */
  status?: number;
  /** Whether trying again can help. */
  retryable?: boolean;
  /** How long the provider asks to wait. */
  retryAfterMs?: number;
}

/** Whether an answer ended before the model had ended it. */
export function isBroken({ stopReason }: AssistantMessage): boolean {
  return stopReason === "error" || stopReason === "aborted";
}

/** Whether an answer failed or was stopped before the model had said anything. Models are not shown such answers. */
export function isSilent(message: AgentMessage): boolean {
  return message.role === "assistant" && isBroken(message) && message.content.length === 0;
}

/**
 * The failure that a message reports: an answer that ended in an error, or an `error` line. Undefined for every other message.
 *
 * @example
 * const failure = failureIn(message);
 * if (failure !== undefined) console.error(failure.message, failure.code);
 */
export function failureIn(message: AgentMessage): Failure | undefined {
  if (message.role === "error") {
    const { content, code, recoverable } = message;
    return { message: content, ...detailsOf({ code, retryable: recoverable, status: statusIn(content) }) };
  }
  if (message.role !== "assistant" || message.stopReason !== "error") return undefined;
  const { errorMessage = "the model failed without saying why", ext } = message;
  return { message: errorMessage, ...(isObject(ext?.["failure"]) ? detailsOf(ext["failure"]) : {}) };
}

/** What is known of a failure beside its message, without fields of another type. */
export function detailsOf(details: Readonly<Record<string, unknown>>): Omit<Failure, "message"> {
  const { code, status, retryable, retryAfterMs } = details;
  return {
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof status === "number" ? { status } : {}),
    ...(typeof retryable === "boolean" ? { retryable } : {}),
    ...(typeof retryAfterMs === "number" ? { retryAfterMs } : {}),
  };
}

/** An `error` line has no field for the status; its text begins with it: `HTTP 429: …`. */
function statusIn(text: string): number | undefined {
  const [, status] = /^HTTP (\d{3}):/.exec(text) ?? [];
  return status === undefined ? undefined : Number(status);
}

const UNSENT = new Set([
  "provider/no-key",
  "provider/unknown",
  "provider/quota",
  "provider/context-overflow",
]);

/** Whether the request was refused, or never sent: the model did not work on it, and nothing was used. */
export function isRefused(message: AssistantMessage): boolean {
  if (!isSilent(message)) return false;
  const { code = "", status } = failureIn(message) ?? {};
  return status !== undefined || UNSENT.has(code);
}
