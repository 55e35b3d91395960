import type { LiveAssistantMessageEvent } from "../../core/types.js";
import type { ForwardedBatch } from "../../providers/forward.js";

/** A piece of an answer: one of our events, or payloads of a provider with the client's API. */
export type Piece = LiveAssistantMessageEvent | ForwardedBatch;

export function isForwarded(piece: Piece): piece is ForwardedBatch {
  return "payloads" in piece;
}

export function eventsOf(piece: Piece): readonly LiveAssistantMessageEvent[] {
  return isForwarded(piece) ? piece.events : [piece];
}
