import { DragomanError } from "../../core/error.js";
import { refusalOf, verdictOf } from "../refusals.js";

/** Errors about what the client passed. */
const ABOUT_INPUT = /^(?:convert|framing|json|model)\//;

/** What the client's model reads about a failed call; undefined if only the gateway's owner can fix it. */
export function explainToClient(error: unknown): string | undefined {
  if (error instanceof DragomanError) {
    const { code, message, hint } = error;
    if (verdictOf(code) === undefined && !ABOUT_INPUT.test(code)) return undefined;
    return hint === undefined ? message : `${message}; ${hint}`;
  }
  const { reason, message } = refusalOf(error);
  return reason === "server_error" ? undefined : message;
}
