import { type FileHandle, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { isObject } from "../core/json/value.js";
import { withoutPartial } from "../core/stream/event-line.js";
import { MessageReducer } from "../core/stream/reduce.js";
import type { AssistantMessage, AssistantMessageEvent } from "../core/types.js";
import { is } from "../core/validate.js";
import { fallbackIfMissing } from "../log/files/disk-error.js";
import { makeFolder } from "../log/files/folder.js";

const FLUSH_MS = 50;

/**
 * The mark of a run in progress, with its partial answer: a file that exists from the run's first message to its last. The log
 * stores complete messages only; if the process is killed, the mark shows that an answer is due, and preserves the partial
 * one. The first delta of each block is written before it is shown, so everything shown survives, except for the last words.
 */
export class RunMark {
  readonly #path: string;
  readonly #after: () => string | undefined;
  #file: FileHandle | undefined;
  /** The answer's last block with content in the file; -1 for none. */
  #block = -1;
  #end = 0;
  #pending: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<unknown> = Promise.resolve();

  /** @param after returns the id of the message that the answer follows */
  constructor(path: string, after: () => string | undefined) {
    this.#path = path;
    this.#after = after;
  }

  async open(): Promise<void> {
    await makeFolder(dirname(this.#path));
    this.#file = await open(this.#path, "w", 0o600);
  }

  beginAnswer(message: AssistantMessage): void {
    const start: AssistantMessageEvent = { type: "start", partial: { ...message, content: [] } };
    this.#pending = [{ after: this.#after() }, start].map(line);
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
    if (this.#block >= 0) await this.#file?.truncate(0);
    this.#block = -1;
    this.#end = 0;
  }

  /** Call when nothing is left to answer. */
  async remove(): Promise<void> {
    await this.clearAnswer();
    await this.close();
    await rm(this.#path, { force: true });
  }

  /** Leaves the mark for the next process that opens the session. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#written;
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  #flush(): Promise<unknown> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const writing = this.#written.then(() => this.#write());
    // A delta that a full disk rejects is lost only if the process dies before the answer is complete.
    this.#written = writing.catch(() => undefined);
    return writing;
  }

  /** A failed write is retried together with what follows, so that nothing is missing in the middle. */
  async #write(): Promise<void> {
    const lines = this.#pending;
    this.#pending = [];
    const bytes = Buffer.from(lines.join(""));
    try {
      for (let written = 0; this.#file !== undefined && written < bytes.length; ) {
        const left = bytes.length - written;
        written += (await this.#file.write(bytes, written, left, this.#end + written)).bytesWritten;
      }
      this.#end += bytes.length;
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

/** Undefined if no run was in progress. */
export async function readMark(path: string): Promise<InterruptedRun | undefined> {
  const text = await fallbackIfMissing(readFile(path, "utf8"), undefined);
  if (text === undefined) return undefined;
  const [head, ...events] = wholeLines(text);
  const reducer = new MessageReducer();
  for (const event of events) {
    if (!is("AssistantMessageEvent", event)) break;
    reducer.push(event);
  }
  if (reducer.partial === undefined) return {};
  const message = reducer.finish("the process stopped mid-answer");
  const after = isObject(head) && typeof head["after"] === "string" ? head["after"] : undefined;
  return { cut: { after, message } };
}

/** The lines up to the first incomplete or damaged one. */
function wholeLines(text: string): unknown[] {
  const values: unknown[] = [];
  for (const line of text.split("\n").slice(0, -1)) {
    try {
      values.push(JSON.parse(line));
    } catch (error) {
      if (error instanceof SyntaxError) break;
      throw error;
    }
  }
  return values;
}
