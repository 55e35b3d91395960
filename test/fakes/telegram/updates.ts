import { Refused, refuseIf } from "./refusal.js";

export interface Update {
  update_id: number;
  [kind: string]: unknown;
}

interface Waiter {
  wake(): void;
  replace(): void;
}

/** What the bot was not seen to have received. Asking from a number on confirms what is before it. */
export class Updates {
  readonly unconfirmed: Update[] = [];
  /** The kinds the bot has asked for. */
  allowed: unknown;
  #next = 1000;
  #waiter: Waiter | undefined;
  #onNew = () => {};

  push(kind: string, content: object): number {
    const update_id = this.#next++;
    if (Array.isArray(this.allowed) && !this.allowed.includes(kind)) return update_id;
    this.unconfirmed.push({ update_id, [kind]: content });
    this.#waiter?.wake();
    this.#onNew();
    return update_id;
  }

  /** Called whenever there is one more. */
  set onNew(listener: () => void) {
    this.#onNew = listener;
  }

  confirmBefore(id: number): void {
    const kept = this.unconfirmed.filter(({ update_id }) => update_id >= id);
    this.unconfirmed.splice(0, Infinity, ...kept);
  }

  /** Ends the question that is open, as another one or a webhook does. */
  replaceWaiter(): void {
    this.#waiter?.replace();
  }

  async ask(offset: number, limit: number, timeoutSeconds: number, gone: AbortSignal): Promise<Update[]> {
    refuseIf(limit < 1 || limit > 100, "Bad Request: limit must be between 1 and 100");
    this.replaceWaiter();
    if (offset >= 0) this.confirmBefore(offset);
    else this.unconfirmed.splice(0, Math.max(0, this.unconfirmed.length + offset));
    if (this.unconfirmed.length === 0 && timeoutSeconds > 0) await this.#wait(timeoutSeconds, gone);
    return this.unconfirmed.slice(0, limit);
  }

  #wait(seconds: number, gone: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer);
        gone.removeEventListener("abort", wake);
        if (this.#waiter === waiter) this.#waiter = undefined;
        settle();
      };
      const wake = end(resolve);
      const words = "terminated by other getUpdates request; make sure that only one bot instance is running";
      const replace = end(() => reject(new Refused(`Conflict: ${words}`, 409)));
      const timer = setTimeout(wake, seconds * 1000);
      const waiter = { wake, replace };
      this.#waiter = waiter;
      gone.addEventListener("abort", wake);
    });
  }
}
