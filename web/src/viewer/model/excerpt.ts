import type { AgentMessage } from "dragoman/core";

const LENGTH = 90;

/** The beginning of a message's text; empty if it has none. */
export function excerptOf(message: AgentMessage): string {
  const content = "content" in message ? message.content : undefined;
  const texts =
    typeof content === "string"
      ? [content]
      : (content ?? []).map((block) => (block.type === "text" ? block.text : ""));
  const text = texts.find((part) => part.trim() !== "") ?? "";
  const line = text
    .slice(0, 4 * LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > LENGTH ? `${line.slice(0, LENGTH - 1)}…` : line;
}
