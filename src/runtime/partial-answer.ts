import { type FileHandle, open, readFile, rm } from "node:fs/promises";
import { parseJson } from "../core/json/parse.js";
import { isObject } from "../core/json/value.js";
import { MessageReducer } from "../core/reduce.js";
import type { AssistantMessage, AssistantMessageEvent, LiveAssistantMessageEvent } from "../core/types.js";
import { is } from "../core/validate.js";

const FLUSH_MS = 50;

/**
 * An answer while it arrives, in a file beside the session. The log takes whole messages only; should the process be
 * killed, this is what is left of the one that was not whole. It is on its way to the disk before anybody sees a word.
 */
export class PartialAnswer {
  readonly #path: string;
  readonly #after: () => string | undefined;
  #file: Promise<FileHandle> | undefined;
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<unknown> = Promise.resolve();

  /** `after` tells the message that the answer follows. */
  constructor(path: string, after: () => string | undefined) {
    this.#path = path;
    this.#after = after;
  }

  async push(event: LiveAssistantMessageEvent): Promise<void> {
    this.#waiting.push(`${JSON.stringify(wire(event))}\n`);
    if (event.type === "start") return;
    if (this.#file === undefined) {
      this.#waiting.unshift(`${JSON.stringify({ after: this.#after() })}\n`);
      this.#file = open(this.#path, "w", 0o600);
      await this.#flush();
    } else {
      this.#timer ??= setTimeout(() => void this.#flush(), FLUSH_MS);
    }
  }

  /** The answer is in the log: nothing is left to remember. */
  async clear(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    const file = this.#file;
    if (file === undefined) return;
    this.#file = undefined;
    await this.#written;
    await (await file).close();
    await rm(this.#path, { force: true });
  }

  #flush(): Promise<unknown> {
    this.#timer = undefined;
    const text = this.#waiting.join("");
    this.#waiting = [];
    const file = this.#file;
    this.#written = this.#written.then(async () => (await file)?.write(text));
    return this.#written;
  }
}

/** On a wire and on disk the message so far is told once, at the start. */
function wire(event: LiveAssistantMessageEvent): AssistantMessageEvent {
  if (event.type === "start" || event.type === "done" || event.type === "error") return event;
  const { partial: _, ...rest } = event;
  return rest;
}

/** What a process that is gone had received of an answer, and the message the answer follows. */
export interface CutAnswer {
  after: string | undefined;
  message: AssistantMessage;
}

/** Undefined if no process was in the middle of an answer. */
export async function interruptedAnswer(path: string): Promise<CutAnswer | undefined> {
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
  if (reducer.partial === undefined) return undefined;
  const message = reducer.finish("the process stopped in mid-answer");
  const after = isObject(head) && typeof head["after"] === "string" ? head["after"] : undefined;
  return { after, message };
}
