import { isObject } from "../../core/json/value.js";
import { neverLeft, reasonOf } from "../network-failure.js";
import { SendError } from "../types.js";

/** How the Bot API refuses: `{"ok":false,"error_code":429,"description":"Too Many Requests…","parameters":{"retry_after":5}}`. */
export interface Refusal {
  error_code: number;
  description: string;
  parameters: { retry_after?: number; migrate_to_chat_id?: number };
}

/** True for grammY's `GrammyError`. Its class is not asked for, because grammY is loaded only when a channel opens. */
export function isRefusal(error: unknown): error is Refusal {
  return (
    isObject(error) &&
    typeof error["error_code"] === "number" &&
    typeof error["description"] === "string" &&
    isObject(error["parameters"])
  );
}

/** What the failure of a call says of the fate of what was to be sent. */
export function sendError(error: unknown, scrub: (text: string) => string): SendError {
  if (error instanceof SendError) return error;
  if (!isRefusal(error)) {
    return new SendError(neverLeft(error) ? "later" : "unknown", scrub(reasonOf(error)));
  }
  const { error_code: status, parameters } = error;
  const why = scrub(`Telegram says: ${error.description}`);
  if (status === 429) return new SendError("later", why, { afterMs: (parameters.retry_after ?? 1) * 1000 });
  // The token may be replaced; nothing was taken under the wrong one.
  if (isBadToken(error)) return new SendError("later", why);
  return new SendError(status >= 500 ? "unknown" : "refused", why);
}

/** Telegram does not know the token: 404 when it does not even look like one. */
export function isBadToken(error: Refusal): boolean {
  return error.error_code === 401 || error.error_code === 404;
}
