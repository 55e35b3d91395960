import { type FileHandle, mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { parseJson } from "../core/json/parse.js";
import { isObject } from "../core/json/value.js";
import { MessageReducer } from "../core/reduce.js";
import type { AssistantMessage, AssistantMessageEvent } from "../core/types.js";
import { is } from "../core/validate.js";

const FLUSH_MS = 50;

/**
 * The mark of a run that is under way, and what has arrived of its answer: a file that is there from the first message to
 * the last. The log takes whole messages only; should the process be killed, this tells that somebody waits for an answer,
 * and what is left of the one that was not whole. A word is on its way to the disk before anybody sees it.
 */
export class RunMark {
  readonly #path: string;
  readonly #after: () => string | undefined;
  #file: FileHandle | undefined;
  #begun = false;
  #end = 0;
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<unknown> = Promise.resolve();

  /** `after` tells the message that the answer follows. */
  constructor(path: string, after: () => string | undefined) {
    this.#path = path;
    this.#after = after;
  }

  /** The run begins. */
  async open(): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true });
    this.#file = await open(this.#path, "w", 0o600);
  }

  /** An answer begins. It may have its first block already; the events tell of it. */
  begin(answer: AssistantMessage): void {
    const start: AssistantMessageEvent = { type: "start", partial: { ...answer, content: [] } };
    this.#waiting.push(`${JSON.stringify(start)}\n`);
  }

  async push(event: AssistantMessageEvent): Promise<void> {
    this.#waiting.push(`${JSON.stringify(wire(event))}\n`);
    if (this.#begun) {
      this.#timer ??= setTimeout(() => void this.#flush(), FLUSH_MS);
      return;
    }
    this.#begun = true;
    this.#waiting.unshift(`${JSON.stringify({ after: this.#after() })}\n`);
    await this.#flush();
  }

  /** The answer is in the log. */
  async clear(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    await this.#written;
    if (this.#begun) await this.#file?.truncate(0);
    this.#begun = false;
    this.#end = 0;
  }

  /** Nobody waits for anything any more. */
  async remove(): Promise<void> {
    await this.clear();
    await this.leave();
    await rm(this.#path, { force: true });
  }

  /** Something went wrong: whoever opens the session next finds the mark. */
  async leave(): Promise<void> {
    clearTimeout(this.#timer);
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  #flush(): Promise<unknown> {
    this.#timer = undefined;
    const bytes = Buffer.from(this.#waiting.join(""));
    this.#waiting = [];
    this.#written = this.#written.then(async () => {
      await this.#file?.write(bytes, 0, bytes.length, this.#end);
      this.#end += bytes.length;
    });
    return this.#written;
  }
}

/** On disk, as on a wire, the message so far is told once, at the start. */
function wire(event: AssistantMessageEvent): AssistantMessageEvent {
  if (event.type === "start" || event.type === "done" || event.type === "error") return event;
  const { partial: _, ...rest } = event;
  return rest;
}

/** What is left of a run whose process is gone. */
export interface LeftRun {
  /** What had arrived of an answer, and the message the answer follows. */
  cut?: { after: string | undefined; message: AssistantMessage };
}

/** Undefined if no run was under way. */
export async function readMark(path: string): Promise<LeftRun | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  // What follows the last newline was cut off in mid-write.
  const [head, ...rest] = text
    .split("\n")
    .slice(0, -1)
    .map((line) => parseJson(line));
  const reducer = new MessageReducer();
  for (const event of rest) {
    if (!is("AssistantMessageEvent", event)) break;
    reducer.push(event);
  }
  if (reducer.partial === undefined) return {};
  const message = reducer.finish("the process stopped in mid-answer");
  const after = isObject(head) && typeof head["after"] === "string" ? head["after"] : undefined;
  return { cut: { after, message } };
}
