import type { ShownMessage } from "../../core/shown/conversation.js";
import type { AssistantMessage, Loss, ToolResultMessage, UserMessage } from "../../core/types.js";

/** A message on its way to a model, and the place in the context it came from. */
export interface Entry<M extends ShownMessage = ShownMessage> {
  message: M;
  index: number;
  /** The place that each of its blocks had in that message; none where the message is not of the context. */
  blocks?: readonly number[];
}

export type Report = (loss: Loss) => void;

export function at({ index }: Pick<Entry, "index">, pointer = ""): string {
  return `/messages/${index}${pointer}`;
}

/** The place of a block, by where it is among those that are left. */
export function blockAt(entry: Pick<Entry, "index" | "blocks">, block: number, pointer = ""): string {
  const place = entry.blocks?.[block];
  return at(entry, place === undefined ? "" : `/content/${place}${pointer}`);
}

/** Where in the context that is which is at this place in what is sent. */
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
