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
type TailRecord = LiveRecord | { seq: number; fromSeq?: number; step?: never };

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
  /** From here on, each number is that of its own event. */
  readonly #exactFrom: number;

  constructor(base = 0, exactFrom = base) {
    this.#base = base;
    this.#last = base;
    this.#exactFrom = exactFrom;
  }

  push(record: LiveRecord): void {
    const { step } = record;
    if (step.type === "tool_execution_update") {
      const before = this.#updates.get(step.toolCallId);
      const old = before === undefined ? undefined : this.#records[before];
      if (before !== undefined && old !== undefined)
        this.#records[before] = {
          ...(old.fromSeq === undefined ? {} : { fromSeq: old.fromSeq }),
          seq: old.seq,
        };
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

  /** The events after `seen`; everything that is kept if `seen` is not the number of an event in its range. */
  since(seen: number | undefined): { seq: number; records: LiveRecord[] } {
    const seq = seen === undefined || !this.#isBetweenEvents(seen) ? this.#base : seen;
    return { seq, records: joined(this.#records.filter((record) => record.seq > seq)) };
  }

  #isBetweenEvents(seen: number): boolean {
    if (seen === this.#base) return true;
    if (seen < Math.max(this.#base, this.#exactFrom) || seen > this.#last) return false;
    // An event of another gateway can stand for several.
    const next = this.#records.find((record) => record.seq > seen);
    return (next?.fromSeq ?? seen + 1) > seen;
  }
}

function joined(records: readonly TailRecord[]): LiveRecord[] {
  const result: LiveRecord[] = [];
  let skipped: number | undefined;
  for (const record of records) {
    if (record.step === undefined) {
      skipped ??= record.fromSeq ?? record.seq;
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
