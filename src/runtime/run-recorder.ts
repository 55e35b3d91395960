import { DragomanError } from "../core/error.js";
import { isObject } from "../core/json/value.js";
import { withoutPartial } from "../core/stream/event-line.js";
import { MessageReducer } from "../core/stream/reduce.js";
import type { AgentEvent, AssistantMessage, AssistantMessageEvent } from "../core/types.js";
import { is } from "../core/validate.js";
import type { RunMark } from "../log/store.js";

const FLUSH_MS = 50;

/**
 * Records a run in its mark, with the partial answer. The log stores complete messages only; if the process is killed, the
 * mark shows that an answer is due, and preserves the partial one. The first delta of each block is written before it is
 * shown, so everything shown survives, except for the last words.
 */
export class RunRecorder {
  readonly #mark: RunMark;
  readonly #after: () => string | undefined;
  /** The answer's last block with content in the mark; -1 for none. */
  #block = -1;
  #pending: string[] = [];
  /** How many of the answer's lines are in the mark. */
  #stored = 0;
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<unknown> = Promise.resolve();

  /** @param after returns the id of the message that the answer follows */
  constructor(mark: RunMark, after: () => string | undefined) {
    this.#mark = mark;
    this.#after = after;
  }

  open(): Promise<void> {
    return this.#mark.open();
  }

  /** Passes a run's events on, and keeps those of the answer in progress until it is in the log. */
  async *record(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
    for await (const event of events) {
      if (event.type === "message_start" && event.message.role === "assistant")
        this.beginAnswer(event.message);
      if (event.type === "message_update") await this.push(event.assistantMessageEvent);
      yield event;
      if (event.type === "message_end" && event.message.role === "assistant") await this.clearAnswer();
    }
  }

  beginAnswer(message: AssistantMessage): void {
    const start: AssistantMessageEvent = { type: "start", partial: { ...message, content: [] } };
    this.#pending = [{ after: this.#after() }, start].map(line);
    this.#stored = 0;
  }

  async push(event: AssistantMessageEvent): Promise<void> {
    this.#pending.push(line(withoutPartial(event)));
    const block = blockOf(event);
    if (block !== undefined && block > this.#block) {
      this.#block = block;
      await this.#flush();
    } else if (this.#block >= 0) {
      this.#timer ??= setTimeout(() => this.#flush().catch(() => undefined), FLUSH_MS);
    }
  }

  /** Call when the answer is in the log. */
  async clearAnswer(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#written;
    this.#pending = [];
    if (this.#block >= 0) await this.#mark.clear();
    this.#block = -1;
  }

  /** Call when nothing is left to answer. */
  async remove(): Promise<void> {
    await this.clearAnswer();
    await this.#mark.remove();
  }

  /** Leaves the mark for the next process that opens the session. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#written;
    await this.#mark.close();
  }

  #flush(): Promise<unknown> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const writing = this.#written.then(() => this.#write());
    // A delta that a full disk rejects is lost only if the process dies before the answer is complete.
    this.#written = writing.catch(() => undefined);
    return writing;
  }

  /**
   * A failed write is retried together with what follows, so that nothing is missing in the middle. It may have been stored,
   * and a stored one may be lost with the server; so each states how many lines come before it.
   */
  async #write(): Promise<void> {
    const lines = this.#pending;
    this.#pending = [];
    const before = this.#stored === 0 ? "" : line({ lines: this.#stored });
    try {
      await this.#mark.append(`${before}${lines.join("")}`);
      this.#stored += lines.length;
    } catch (error) {
      this.#pending = [...lines, ...this.#pending];
      throw error;
    }
  }
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** The block whose content an event shows. The start and end of a text or thinking block show nothing. */
function blockOf(event: AssistantMessageEvent): number | undefined {
  switch (event.type) {
    case "text_delta":
    case "thinking_delta":
    case "toolcall_start":
    case "toolcall_delta":
    case "block_end":
      return event.contentIndex;
    default:
      return undefined;
  }
}

/** What a dead process left of a run. */
export interface InterruptedRun {
  /** The partial answer, and the id of the message it follows. */
  cut?: { after: string | undefined; message: AssistantMessage };
}

/** Reads the text of a mark. */
export function interruptedRunIn(text: string): InterruptedRun {
  const [head, ...events] = wholeLines(text);
  const reducer = new MessageReducer();
  for (const event of events) {
    if (!is("AssistantMessageEvent", event) || !isApplied(reducer, event)) break;
  }
  if (reducer.partial === undefined) return {};
  const message = reducer.finish("the process stopped mid-answer");
  const after = isObject(head) && typeof head["after"] === "string" ? head["after"] : undefined;
  return { cut: { after, message } };
}

/** False for an event out of order: a damaged mark must not prevent the recovery of its session. */
function isApplied(reducer: MessageReducer, event: AssistantMessageEvent): boolean {
  try {
    reducer.push(event);
    return true;
  } catch (error) {
    if (error instanceof DragomanError) return false;
    throw error;
  }
}

/** The lines up to the first one that is missing, incomplete or damaged, without those that are repeated. */
function wholeLines(text: string): unknown[] {
  const values: unknown[] = [];
  for (const line of text.split("\n").slice(0, -1)) {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      if (error instanceof SyntaxError) break;
      throw error;
    }
    const before = linesBefore(value);
    if (before === undefined) values.push(value);
    else if (before > values.length) break;
    else values.length = before;
  }
  return values;
}

/** What a write states about those before it. */
function linesBefore(value: unknown): number | undefined {
  const { lines } = isObject(value) ? value : {};
  return typeof lines === "number" ? lines : undefined;
}
