import { EventQueue } from "../core/async/event-queue.js";
import type { RpcEvent, RpcSessionEvent } from "../protocol/schema.js";

/** A change to a gateway's sessions, for a program that lists them. */
export type SessionsEvent =
  /** It was created or renamed, or its agent started or finished working. */
  | ({ type: "session" } & RpcSessionEvent)
  /** `open`: changes are reported from here on; list the sessions now. */
  | { type: "connection"; state: "open" | "lost" };

/** Follows the session list across reconnections. */
export class SessionWatch {
  readonly queue: EventQueue<SessionsEvent>;
  #open = false;

  constructor(onLeave: () => void) {
    this.queue = new EventQueue<SessionsEvent>({ onLeave });
  }

  async join(subscribe: (onResult: () => void) => Promise<unknown>): Promise<void> {
    await subscribe(() => {
      this.#open = true;
      this.queue.push({ type: "connection", state: "open" });
    });
  }

  accept({ event, data }: RpcEvent): void {
    if (event === "session" && this.#open) this.queue.push({ type: "session", ...data });
  }

  end(failure?: { error: unknown }): void {
    this.queue.end(failure);
  }

  lost(): void {
    if (!this.#open) return;
    this.#open = false;
    this.queue.push({ type: "connection", state: "lost" });
  }
}
