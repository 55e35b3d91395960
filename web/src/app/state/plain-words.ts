import { type AssistantContent, DragomanError, isObject, type UserContent } from "dragoman/core";
import { texts } from "../../text/texts.js";

/** An error as a sentence for users. */
export function errorText(error: unknown): string {
  if (error instanceof DragomanError && error.code === "client/disconnected") {
    return texts.shell.disconnectedMidway;
  }
  if (missing.has(codeOf(error))) return texts.chat.noSession;
  const text = error instanceof Error ? error.message : String(error);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** The gateway's reasons why an address has no session. */
const missing = new Set<unknown>(["log/no-session", "log/bad-key"]);

/** The gateway's code for an error that it answered with. */
function codeOf(error: unknown): unknown {
  const data = error instanceof DragomanError ? error.details?.["data"] : undefined;
  return isObject(data) ? data["code"] : undefined;
}

/** The text of a message, without images. */
export function textOf(content: string | readonly (UserContent | AssistantContent)[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n\n");
}
