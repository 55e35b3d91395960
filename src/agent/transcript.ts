import { DragomanError, wordsOf } from "../core/error.js";
import { newId } from "../core/ids.js";
import type { Failure } from "../core/message/failure.js";
import type { AgentMessage } from "../core/types.js";
import { errorMessage } from "./failure.js";
import type { Append } from "./types.js";

/** A run's conversation as stored: its history, and the messages it has added. */
export class Transcript {
  readonly messages: AgentMessage[];
  readonly added: AgentMessage[] = [];
  readonly #append: Append;
  readonly #now: () => number;
  #broken = false;

  constructor(history: readonly AgentMessage[], append: Append = inMemory, now: () => number) {
    this.messages = [...history];
    this.#append = append;
    this.#now = now;
  }

  /** True once a message could not be stored. Nothing is stored after that: it would be out of order. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Stores messages and returns them as stored, or throws `agent/not-stored`. */
  async add(messages: readonly AgentMessage[]): Promise<readonly AgentMessage[]> {
    if (messages.length === 0) return [];
    try {
      const stored = await this.#append(messages);
      if (
        stored.length !== messages.length ||
        stored.some(({ role }, index) => role !== messages[index]?.role)
      ) {
        throw new Error("the log returned different messages than it was given");
      }
      for (const message of stored) {
        this.messages.push(message);
        this.added.push(message);
      }
      return stored;
    } catch (error) {
      this.#broken = true;
      throw new DragomanError("agent/not-stored", `a message could not be stored: ${wordsOf(error)}`, {
        cause: error,
        hint: "every message reported so far is in the log; fix the log, then continue",
      });
    }
  }

  /** Stores a failure for the user to read. */
  addError(failure: Failure): Promise<readonly AgentMessage[]> {
    return this.add([errorMessage(failure, this.#now())]);
  }
}

const inMemory: Append = async (messages) =>
  messages.map((message) => (message.id === undefined ? { ...message, id: newId() } : message));
