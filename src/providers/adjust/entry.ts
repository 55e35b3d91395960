import type { AssistantMessage, Loss, Message, ToolResultMessage, UserMessage } from "../../core/types.js";

/** A message on its way to a model, and the place in the context it came from. */
export interface Entry<M extends Message = Message> {
  message: M;
  index: number;
}

export type Report = (loss: Loss) => void;

export function at({ index }: Pick<Entry, "index">, pointer = ""): string {
  return `/messages/${index}${pointer}`;
}

export function isAssistant(entry: Entry): entry is Entry<AssistantMessage> {
  return entry.message.role === "assistant";
}

export function isResult(entry: Entry): entry is Entry<ToolResultMessage> {
  return entry.message.role === "toolResult";
}

export function isUser(entry: Entry): entry is Entry<UserMessage> {
  return entry.message.role === "user";
}
