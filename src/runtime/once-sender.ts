import type { QueueMode } from "../agent/queue.js";
import { newId } from "../core/ids.js";
import type { UserMessage } from "../core/types.js";
import type { Backlog } from "./backlog.js";
import type { History } from "./history.js";
import { sentMark } from "./sent-mark.js";
import type { Accepted } from "./types.js";

export interface OnceSenderOptions {
  history(): History;
  backlog: Pick<Backlog, "adopt">;
  /** Fulfilled when it is known whether a message joins a run or begins one. */
  released(): Promise<void>;
  runIdFor(messageId: string): string;
  send(message: UserMessage, mode?: QueueMode): Promise<Accepted>;
  /** A message that an earlier call has stored is to be answered. */
  start(): void;
}

/** Sends each message once, however often it is sent with the same idempotency key, even by several processes. */
export class OnceSender {
  readonly #options: OnceSenderOptions;
  /** By idempotency key; until they are in the log. */
  readonly #sending = new Map<string, Promise<Accepted>>();

  constructor(options: OnceSenderOptions) {
    this.#options = options;
  }

  async send(idempotencyKey: string, message: UserMessage, mode?: QueueMode): Promise<Accepted> {
    const known = this.#sending.get(idempotencyKey);
    if (known !== undefined) return known;
    const sending = this.#sendFirst(idempotencyKey, message, mode);
    this.#sending.set(idempotencyKey, sending);
    try {
      return await sending;
    } finally {
      this.#sending.delete(idempotencyKey);
    }
  }

  async #sendFirst(idempotencyKey: string, message: UserMessage, mode?: QueueMode): Promise<Accepted> {
    const { history, backlog, released, runIdFor, send, start } = this.#options;
    const read = history();
    await read.read();
    const before = read.findSent(idempotencyKey);
    if (before !== undefined) {
      if (await backlog.adopt(before.message)) start();
      return before;
    }
    await released();
    const { id = newId() } = message;
    const sent = { ...sentMark(message), idempotencyKey, runId: runIdFor(id) };
    const accepted = await send({ ...message, id, ext: { ...message.ext, sent } }, mode);
    // Another process may have accepted the same message meanwhile.
    await history().read();
    return history().findSent(idempotencyKey) ?? accepted;
  }
}
