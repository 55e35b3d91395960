import { isObject } from "../../core/json/value.js";
import { neverLeft, reasonOf } from "../network-failure.js";
import { SendError } from "../types.js";

/** An error reply of the Bot API: `{"ok":false,"error_code":429,"description":"Too Many Requests…","parameters":{"retry_after":5}}`. */
export interface Refusal {
  error_code: number;
  description: string;
  parameters: { retry_after?: number; migrate_to_chat_id?: number };
}

/** True for grammY's `GrammyError`. Checked by shape, because grammY is loaded only when a channel opens. */
export function isRefusal(error: unknown): error is Refusal {
  return (
    isObject(error) &&
    typeof error["error_code"] === "number" &&
    typeof error["description"] === "string" &&
    isObject(error["parameters"])
  );
}

/** What a failed call says about the outcome of a send. */
export function sendError(error: unknown, scrub: (text: string) => string): SendError {
  if (error instanceof SendError) return error;
  if (!isRefusal(error)) {
    return new SendError(neverLeft(error) ? "later" : "unknown", scrub(reasonOf(error)));
  }
  const { error_code: status, parameters } = error;
  const why = scrub(`Telegram replied: ${error.description}`);
  if (status === 429) return new SendError("later", why, { afterMs: (parameters.retry_after ?? 1) * 1000 });
  // Nothing was sent with the wrong token, and it may be replaced.
  if (isBadToken(error)) return new SendError("later", why);
  return new SendError(status >= 500 ? "unknown" : "refused", why);
}

/** Telegram rejects the token: 401, or 404 if it is malformed. */
export function isBadToken(error: Refusal): boolean {
  return error.error_code === 401 || error.error_code === 404;
}
