import { isObject } from "../json/value.js";
import type { AgentMessage, AssistantMessage } from "../types.js";

/** Why an answer is missing or incomplete. Stored in the answer's `errorMessage` and `ext.failure`. */
export interface Failure {
  message: string;
  /** `area/reason`; absent where the source has no code. */
  code?: string;
  /** The HTTP status of the provider's response. */
  status?: number;
  /** Whether a retry can help. */
  retryable?: boolean;
  /** The delay that the provider requested. */
  retryAfterMs?: number;
}

/** Whether an answer failed or was aborted. */
export function isBroken({ stopReason }: AssistantMessage): boolean {
  return stopReason === "error" || stopReason === "aborted";
}

/** Whether an answer failed or was aborted before it had any content. Models are not shown such answers. */
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

/** A failure's fields besides its message; fields of the wrong type are left out. */
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
  "budget/no-price",
  "budget/spent",
]);

/** Whether the request was refused or never sent, so that no tokens were used. */
export function isRefused(message: AssistantMessage): boolean {
  if (!isSilent(message)) return false;
  const { code = "", status } = failureIn(message) ?? {};
  return status !== undefined || UNSENT.has(code);
}
