import type { AgentMessage, UserContent, UserMessage } from "../types.js";

export function asUser(content: UserMessage["content"], timestamp: number): UserMessage {
  return { role: "user", content, timestamp };
}

/** `An agent has finished (as JSON): {"agent":"scout","result":42}`: no text inside can be mistaken for something else. */
export function quotedJson(title: string, value: unknown, { timestamp }: AgentMessage): UserMessage {
  return asUser(`${title} (as JSON): ${JSON.stringify(value)}`, timestamp);
}

/** Content that a program adds to a conversation, with its texts quoted. */
export function addedContent(content: string | UserContent[], customType: string): UserMessage["content"] {
  const quote = (text: string) => `A program adds (as JSON): ${JSON.stringify({ type: customType, text })}`;
  if (typeof content === "string") return quote(content);
  return content.map((block) => (block.type === "text" ? { ...block, text: quote(block.text) } : block));
}
