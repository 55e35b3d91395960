import { type FileHandle, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { isObject } from "../core/json/value.js";
import { withoutPartial } from "../core/stream/event-line.js";
import { MessageReducer } from "../core/stream/reduce.js";
import type { AssistantMessage, AssistantMessageEvent } from "../core/types.js";
import { is } from "../core/validate.js";
import { systemCode } from "../log/files/disk-error.js";
import { makeFolder } from "../log/files/folder.js";

const FLUSH_MS = 50;

/**
 * The mark of a run that is under way, and what has arrived of its answer: a file that is there from the first message to
 * the last. The log takes whole messages only; should the process be killed, this tells that somebody waits for an answer,
 * and what is left of the one that was not whole. The first word of each block is written before anybody sees it: what
 * was shown is there afterwards, if not to its last word.
 */
export class RunMark {
  readonly #path: string;
  readonly #after: () => string | undefined;
  #file: FileHandle | undefined;
  /** The last block of the answer of which something is in the file; -1 before there is one. */
  #block = -1;
  #end = 0;
  #pending: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<unknown> = Promise.resolve();

  /** `after` tells the message that the answer follows. */
  constructor(path: string, after: () => string | undefined) {
    this.#path = path;
    this.#after = after;
  }

  /** The run begins. */
  async open(): Promise<void> {
    await makeFolder(dirname(this.#path));
    this.#file = await open(this.#path, "w", 0o600);
  }

  /** An answer begins. */
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

  /** The answer is in the log. */
  async clearAnswer(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#written;
    this.#pending = [];
    if (this.#block >= 0) await this.#file?.truncate(0);
    this.#block = -1;
    this.#end = 0;
  }

  /** Nobody waits for anything any more. */
  async remove(): Promise<void> {
    await this.clearAnswer();
    await this.close();
    await rm(this.#path, { force: true });
  }

  /** Something went wrong: whoever opens the session next finds the mark. */
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
    // A word that a full disk did not take is lost only if the process dies before the answer is whole.
    this.#written = writing.catch(() => undefined);
    return writing;
  }

  /** What could not be written is tried again with what follows, so that nothing is missing in the middle. */
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

/** The block of which it shows something. Beginnings and ends of blocks of words show nothing by themselves. */
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

/** What is left of a run whose process is gone. */
export interface InterruptedRun {
  /** What had arrived of an answer, and the message it follows. */
  cut?: { after: string | undefined; message: AssistantMessage };
}

/** Undefined if no run was under way. */
export async function readMark(path: string): Promise<InterruptedRun | undefined> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const [head, ...events] = wholeLines(text);
  const reducer = new MessageReducer();
  for (const event of events) {
    if (!is("AssistantMessageEvent", event)) break;
    reducer.push(event);
  }
  if (reducer.partial === undefined) return {};
  const message = reducer.finish("the process stopped in mid-answer");
  const after = isObject(head) && typeof head["after"] === "string" ? head["after"] : undefined;
  return { cut: { after, message } };
}

/** Up to the first line that was cut off or damaged. */
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
