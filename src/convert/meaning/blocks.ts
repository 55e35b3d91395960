import type { AgentMessage, AssistantContent, UserContent } from "../../core/types.js";

export type Block = UserContent | AssistantContent;
export type Media = Extract<Block, { type: "image" | "audio" | "file" }>;

/** A message that a model is shown. */
export type ModelMessage = Extract<AgentMessage, { role: "user" | "assistant" | "toolResult" | "system" }>;

export function isModelMessage(message: AgentMessage): message is ModelMessage {
  return ["user", "assistant", "toolResult", "system"].includes(message.role);
}

/** The message's blocks with their paths; none when the content is a plain string. */
export function blocksOf(message: ModelMessage): { block: Block; path: [string, number] }[] {
  if (typeof message.content === "string") return [];
  return message.content.map((block, index) => ({ block, path: ["content", index] }));
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}
