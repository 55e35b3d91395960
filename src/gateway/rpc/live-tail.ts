import type { RpcAgentStep } from "../../client/schema/index.js";

/** What a text delta is for those who only want text. */
export interface ChatDelta {
  seq: number;
  fromSeq?: number;
  offset: number;
  text: string;
  timestamp: number;
}

export interface LiveRecord {
  seq: number;
  fromSeq?: number;
  step: RpcAgentStep;
  chat?: ChatDelta;
}

/** A record whose step was overtaken by a later one keeps its number only. */
type Kept = LiveRecord | { seq: number; step?: never };

/**
 * The events of a run since its last stored message: what the log does not have yet. Whoever joins is told these, deltas
 * of one block joined into one, and then the rest.
 */
export class LiveTail {
  #records: Kept[] = [];
  readonly #updates = new Map<string, number>();
  /** The number after which events are kept. */
  #base: number;
  #last: number;
  #chatSeq = 0;
  #chatBase = 0;

  constructor(base = 0) {
    this.#base = base;
    this.#last = base;
  }

  get last(): number {
    return this.#last;
  }

  /** The number for the next `chat` event. */
  nextChatSeq(): number {
    return ++this.#chatSeq;
  }

  push(record: LiveRecord): void {
    const { step } = record;
    if (step.type === "tool_execution_update") {
      const before = this.#updates.get(step.toolCallId);
      const old = before === undefined ? undefined : this.#records[before];
      if (before !== undefined && old !== undefined) this.#records[before] = { seq: old.seq };
      this.#updates.set(step.toolCallId, this.#records.length);
    }
    this.#records.push(record);
    this.#last = record.seq;
  }

  /** Everything up to here is in the log. The last event stays, for those who have seen all but that. */
  settle(): void {
    this.#records = this.#records.slice(-1);
    this.#updates.clear();
    this.#base = this.#last - this.#records.length;
    this.#chatBase = this.#chatSeq;
  }

  /** Where somebody who has seen the run up to `seen` goes on; those who have not seen what is still here begin with it. */
  from(seen: number | undefined): { seq: number; chatSeq: number; records: LiveRecord[] } {
    const seq = seen === undefined || seen < this.#base || seen > this.#last ? this.#base : seen;
    const passed = this.#records.findLast((record) => record.seq <= seq && chatOf(record) !== undefined);
    const chatSeq = (passed === undefined ? undefined : chatOf(passed)?.seq) ?? this.#chatBase;
    return { seq, chatSeq, records: joined(this.#records.filter((record) => record.seq > seq)) };
  }
}

function chatOf(record: Kept): ChatDelta | undefined {
  return "chat" in record ? record.chat : undefined;
}

function joined(records: readonly Kept[]): LiveRecord[] {
  const result: LiveRecord[] = [];
  let skipped: number | undefined;
  for (const record of records) {
    if (record.step === undefined) {
      skipped ??= record.seq;
      continue;
    }
    const previous = result.at(-1);
    const whole = skipped === undefined && previous !== undefined ? join(previous, record) : undefined;
    if (whole !== undefined) result[result.length - 1] = whole;
    else result.push(skipped === undefined ? record : { ...record, fromSeq: skipped });
    skipped = undefined;
  }
  return result;
}

/** One record of two deltas of the same block. */
function join(first: LiveRecord, second: LiveRecord): LiveRecord | undefined {
  const [a, b] = [first.step, second.step];
  if (!isDelta(a) || !isDelta(b) || a.type !== b.type || a.contentIndex !== b.contentIndex) return undefined;
  return {
    seq: second.seq,
    fromSeq: first.fromSeq ?? first.seq,
    step: { ...a, text: a.text + b.text },
    ...(first.chat === undefined || second.chat === undefined
      ? {}
      : {
          chat: {
            ...first.chat,
            seq: second.chat.seq,
            fromSeq: first.chat.fromSeq ?? first.chat.seq,
            text: first.chat.text + second.chat.text,
          },
        }),
  };
}

type Delta = Extract<RpcAgentStep, { text: string }>;

function isDelta(step: RpcAgentStep): step is Delta {
  return step.type === "text_delta" || step.type === "thinking_delta" || step.type === "toolcall_delta";
}
