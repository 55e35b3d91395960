import { setTimeout as pause } from "node:timers/promises";
import { refuseIf } from "./refusal.js";
import type { Updates } from "./updates.js";

/** Calls the bot, one update after another, each again until it says that it has it. */
export class Webhook {
  url = "";
  /** The answers it got, in order. */
  readonly answers: number[] = [];
  readonly #updates: Updates;
  #secret: string | undefined;
  #calling: Promise<void> | undefined;
  readonly #closed = new AbortController();

  constructor(updates: Updates) {
    this.#updates = updates;
    updates.onNew = () => this.#call();
  }

  set(url: string, secret: unknown): void {
    const isSafe = /^https:/.test(url) || /^http:\/\/127\.0\.0\.1:/.test(url);
    refuseIf(!isSafe, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook");
    const isSecret = secret === undefined || (typeof secret === "string" && /^[\w-]{1,256}$/.test(secret));
    refuseIf(!isSecret, "Bad Request: secret token contains unallowed characters");
    this.url = url;
    this.#secret = typeof secret === "string" ? secret : undefined;
    this.#updates.replaceWaiter();
    this.#call();
  }

  remove(): void {
    this.url = "";
  }

  /** Fulfilled when there is nothing to be told. */
  async idle(): Promise<void> {
    await this.#calling;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#calling;
  }

  #call(): void {
    if (this.#calling !== undefined || this.url === "") return;
    this.#calling = this.#callAll().finally(() => {
      this.#calling = undefined;
    });
  }

  async #callAll(): Promise<void> {
    const { signal } = this.#closed;
    for (let failures = 0; this.url !== "" && !signal.aborted; ) {
      const update = this.#updates.unconfirmed[0];
      if (update === undefined) return;
      const status = await this.#tell(update);
      this.answers.push(status);
      if (status >= 200 && status < 300) {
        failures = 0;
        this.#updates.confirmBefore(update.update_id + 1);
      } else {
        await pause(Math.min(10 * 2 ** failures++, 500), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #tell(update: object): Promise<number> {
    const headers = {
      "content-type": "application/json",
      ...(this.#secret !== undefined && { "X-Telegram-Bot-Api-Secret-Token": this.#secret }),
    };
    try {
      const body = JSON.stringify(update);
      const { signal } = this.#closed;
      return (await fetch(this.url, { method: "POST", headers, body, signal })).status;
    } catch {
      // 0 stands for no answer at all.
      return 0;
    }
  }
}
