import { joinDeltas } from "../../core/stream/event-line.js";
import type { RpcAgentStep } from "../../protocol/schema.js";
import { type ChatMark, joinMarks } from "./chat-events.js";

export interface LiveRecord {
  seq: number;
  fromSeq?: number;
  step: RpcAgentStep;
  chat?: ChatMark;
}

/** A record superseded by a later one keeps only its number. */
type TailRecord = LiveRecord | { seq: number; step?: never };

/**
 * A run's events since its last stored message, which are not in the log yet. A client that joins receives these, with the
 * deltas of each block joined into one, and then the rest.
 */
export class LiveTail {
  #records: TailRecord[] = [];
  readonly #updates = new Map<string, number>();
  /** Later events are kept. */
  #base: number;
  #last: number;

  constructor(base = 0) {
    this.#base = base;
    this.#last = base;
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

  /** Everything so far is in the log. Keeps the last event, for clients that have all but that one. */
  dropStored(): void {
    this.#records = this.#records.slice(-1);
    this.#updates.clear();
    this.#base = this.#last - this.#records.length;
  }

  /** The events after `seen`; everything that is kept if `seen` is not in its range. */
  since(seen: number | undefined): { seq: number; records: LiveRecord[] } {
    const seq = seen === undefined || seen < this.#base || seen > this.#last ? this.#base : seen;
    return { seq, records: joined(this.#records.filter((record) => record.seq > seq)) };
  }
}

function joined(records: readonly TailRecord[]): LiveRecord[] {
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

/** Joins two deltas of the same block. */
function join(first: LiveRecord, second: LiveRecord): LiveRecord | undefined {
  const [a, b] = [first.step, second.step];
  if (a.type !== "message_update" || b.type !== "message_update") return undefined;
  const delta = joinDeltas(a.assistantMessageEvent, b.assistantMessageEvent);
  if (delta === undefined) return undefined;
  return {
    seq: second.seq,
    fromSeq: first.fromSeq ?? first.seq,
    step: { ...a, assistantMessageEvent: delta },
    ...joinMarks(first.chat, second.chat),
  };
}
