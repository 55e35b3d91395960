import { sumUsage } from "../../core/message/usage.js";
import type { Usage } from "../../core/types.js";
import type { SpentPart } from "./digest.js";
import type { Part } from "./parts.js";
import type { SessionState } from "./state.js";
import { SegmentBuilder } from "./text/segment-builder.js";

/** The limits of a batch: memory, and how long other processes wait while it is written. */
const TEXT_BYTES = 8 * 1024 * 1024;
const SESSIONS = 4000;

/** What a batch adds to one session. */
export interface BatchedSession {
  before: Part["before"];
  rebuild: boolean;
  state: SessionState;
  spent: SpentPart[];
}

/** Parts of sessions that are written in one transaction. */
export class Batch {
  readonly segment = new SegmentBuilder();
  readonly #sessions: BatchedSession[] = [];

  get isFull(): boolean {
    return this.segment.length >= TEXT_BYTES || this.#sessions.length >= SESSIONS;
  }

  get isEmpty(): boolean {
    return this.#sessions.length === 0;
  }

  /** Adds the next part of a session; the parts of one session must follow each other. */
  add({ before, rebuild, state, texts, spent }: Part): void {
    const last = this.#sessions.at(-1);
    const { source, path } = state.summary;
    if (last?.state.summary.path === path && last.state.summary.source === source) {
      last.state = state;
      last.spent.push(...spent);
    } else this.#sessions.push({ before, rebuild, state, spent: [...spent] });
    const owner = this.#sessions.length - 1;
    for (const text of texts) this.segment.add(owner, text);
  }

  /** In the order in which the segment numbers them. */
  sessions(): readonly BatchedSession[] {
    return this.#sessions;
  }
}

/** One part for each day and model. */
export function combined(parts: readonly SpentPart[]): SpentPart[] {
  const byKey = new Map<string, SpentPart & { usages: Usage[] }>();
  for (const part of parts) {
    const key = `${part.day} ${part.model}`;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { ...part, usages: [part.usage] });
    else {
      known.answers += part.answers;
      known.unknownPrices ||= part.unknownPrices;
      known.usages.push(part.usage);
    }
  }
  return [...byKey.values()].map(({ usages, ...part }) =>
    usages.length === 1 ? part : { ...part, usage: sumUsage(usages) },
  );
}
