import type { AgentMessage } from "dragoman/core";

const LENGTH = 90;

/** The first words of a message; empty for one without any. */
export function excerptOf(message: AgentMessage): string {
  const content = "content" in message ? message.content : undefined;
  const text =
    typeof content === "string"
      ? content
      : (content
          ?.map((block) => (block.type === "text" ? block.text : ""))
          .find((words) => words.trim() !== "") ?? "");
  const line = text
    .slice(0, 4 * LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > LENGTH ? `${line.slice(0, LENGTH - 1)}…` : line;
}
