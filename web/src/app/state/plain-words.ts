import { DragomanError, type UserContent } from "dragoman/core";

/** What went wrong, as a sentence for people. */
export function plainWords(error: unknown): string {
  if (error instanceof DragomanError && error.code === "client/disconnected") {
    return "The connection was lost before this was done. Try again.";
  }
  const said = error instanceof Error ? error.message : String(error);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? "" : "."}`;
}

/** What a person said, without pictures. */
export function textOf(content: string | readonly UserContent[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n\n");
}
