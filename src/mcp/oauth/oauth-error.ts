import { DragomanError } from "../../core/error.js";

/** Why access could not be obtained. */
export function oauthError(message: string, hint?: string): DragomanError {
  return new DragomanError("mcp/unauthorized", message, hint === undefined ? {} : { hint });
}
