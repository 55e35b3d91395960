import type { ShownMessage } from "../../core/shown/conversation.js";
import type { AssistantMessage, Loss, ToolResultMessage, UserMessage } from "../../core/types.js";

/** A message to be sent to a model, with its index in the context. */
export interface Entry<M extends ShownMessage = ShownMessage> {
  message: M;
  index: number;
  /** The original index of each of its blocks; absent if the message is not in the context. */
  blocks?: readonly number[];
}

export type Report = (loss: Loss) => void;

export function at({ index }: Pick<Entry, "index">, pointer = ""): string {
  return `/messages/${index}${pointer}`;
}

/** The pointer to a block in the context, by its index among the remaining blocks. */
export function blockAt(entry: Pick<Entry, "index" | "blocks">, block: number, pointer = ""): string {
  const place = entry.blocks?.[block];
  return at(entry, place === undefined ? "" : `/content/${place}${pointer}`);
}

/** Translates a pointer into the sent messages to a pointer into the context. */
export function contextPlace(entries: readonly Entry[], sent: string): string {
  return sent.replace(
    /^\/messages\/(\d+)(?:\/content\/(\d+))?/,
    (place: string, message: string, block?: string) => {
      const entry = entries[Number(message)];
      if (entry === undefined) return place;
      return block === undefined ? at(entry) : blockAt(entry, Number(block));
    },
  );
}

export function lost(place: string, what: string, why: string): Loss {
  return { at: place, what, why, severity: "dropped" };
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
