import type { AssistantMessage } from "../../core/types.js";
import type { RpcAgentStep } from "../../protocol/schema.js";
import type { Outcome } from "../../runtime/types.js";
import type { FeedEvent } from "./subscriber.js";

/** Where a piece of text stands among the `chat` events of its run. */
export interface ChatMark {
  seq: number;
  fromSeq?: number;
  offset: number;
  timestamp: number;
}

/** A step with what is new of the answer's text, for those who look for nothing else. */
export function withText(step: RpcAgentStep): RpcAgentStep & { text?: string } {
  if (step.type !== "message_update" || step.assistantMessageEvent.type !== "text_delta") return step;
  const { type, assistantMessageEvent } = step;
  return { type, assistantMessageEvent, text: assistantMessageEvent.delta };
}

/** Counts the `chat` events of a run, which are all made of its steps, for those who only want to show text. */
export class ChatCount {
  #seq = 0;
  /** How much text of the answer under way there was. */
  #offset = 0;

  mark(step: RpcAgentStep, timestamp: number): ChatMark | undefined {
    if (step.type === "message_start") this.#offset = 0;
    const { length } = withText(step).text ?? "";
    if (length === 0) return undefined;
    this.#offset += length;
    return { seq: ++this.#seq, offset: this.#offset - length, timestamp };
  }

  /** The number after which somebody goes on who receives these records next. */
  seqBefore(records: readonly { chat?: ChatMark }[]): number {
    const { chat } = records.find((record) => record.chat !== undefined) ?? {};
    return chat === undefined ? this.#seq : (chat.fromSeq ?? chat.seq) - 1;
  }

  end({ outcome, error }: { outcome: Outcome; error?: string }, said: AssistantMessage | undefined) {
    return {
      seq: ++this.#seq,
      state: outcome === "done" ? ("final" as const) : outcome,
      ...(said === undefined ? {} : { message: said }),
      ...(error === undefined ? {} : { errorMessage: error }),
    };
  }
}

/** Two pieces of one text as one. */
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
