import { type AssistantContent, DragomanError, type UserContent } from "dragoman/core";
import { texts } from "../../text/texts.js";

/** An error as a sentence for users. */
export function errorText(error: unknown): string {
  if (error instanceof DragomanError && error.code === "client/disconnected") {
    return texts.shell.disconnectedMidway;
  }
  const text = error instanceof Error ? error.message : String(error);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** The text of a message, without images. */
export function textOf(content: string | readonly (UserContent | AssistantContent)[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n\n");
}
