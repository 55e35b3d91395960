import { defined } from "../../core/json/defined.js";
import type { AssistantMessage } from "../../core/types.js";
import type { RpcAgentStep } from "../../protocol/schema.js";
import type { Outcome } from "../../runtime/types.js";
import type { FeedEvent } from "./subscriber.js";

/** The number and offset of a piece of text among its run's `chat` events. */
export interface ChatMark {
  seq: number;
  fromSeq?: number;
  offset: number;
  timestamp: number;
}

/** A step with the new text of the answer, for clients that show only text. */
export function withText(step: RpcAgentStep): RpcAgentStep & { text?: string } {
  if (step.type !== "message_update" || step.assistantMessageEvent.type !== "text_delta") return step;
  const { type, assistantMessageEvent } = step;
  return { type, assistantMessageEvent, text: assistantMessageEvent.delta };
}

/** Numbers a run's `chat` events, which are derived from its steps for clients that show only text. */
export class ChatCount {
  #seq = 0;
  /** The length of the current answer's text. */
  #offset = 0;

  mark(step: RpcAgentStep, timestamp: number): ChatMark | undefined {
    if (step.type === "message_start") this.#offset = 0;
    const { length } = withText(step).text ?? "";
    if (length === 0) return undefined;
    this.#offset += length;
    return { seq: ++this.#seq, offset: this.#offset - length, timestamp };
  }

  /** The number before the first `chat` event of these records. */
  seqBefore(records: readonly { chat?: ChatMark }[]): number {
    const { chat } = records.find((record) => record.chat !== undefined) ?? {};
    return chat === undefined ? this.#seq : (chat.fromSeq ?? chat.seq) - 1;
  }

  end({ outcome, error }: { outcome: Outcome; error?: string }, message: AssistantMessage | undefined) {
    const state = outcome === "done" ? ("final" as const) : outcome;
    return defined({ seq: ++this.#seq, state, message, errorMessage: error });
  }
}

/** Joins the marks of two consecutive pieces. */
export function joinMarks(first: ChatMark | undefined, second: ChatMark | undefined): { chat?: ChatMark } {
  if (first === undefined || second === undefined) return {};
  return { chat: { ...first, seq: second.seq, fromSeq: first.fromSeq ?? first.seq } };
}

export function chatDelta(runId: string, sessionKey: string, chat: ChatMark, text: string): FeedEvent {
  const { seq, fromSeq, offset, timestamp } = chat;
  const from = fromSeq === undefined ? {} : { fromSeq };
  const message = { role: "assistant" as const, content: [{ type: "text" as const, text }], timestamp };
  return { event: "chat", data: { runId, sessionKey, seq, ...from, state: "delta", offset, message } };
}
