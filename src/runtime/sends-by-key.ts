import type { Accepted } from "./types.js";

/** Sends that are under way in this process, by idempotency key: a second one with the same key is the first. */
export class SendsByKey {
  readonly #sending = new Map<string, Promise<Accepted>>();

  async send(idempotencyKey: string, send: () => Promise<Accepted>): Promise<Accepted> {
    const known = this.#sending.get(idempotencyKey);
    if (known !== undefined) return known;
    const sending = send();
    this.#sending.set(idempotencyKey, sending);
    try {
      return await sending;
    } finally {
      // From here on the log has the key.
      this.#sending.delete(idempotencyKey);
    }
  }
}
