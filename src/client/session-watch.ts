import { EventQueue } from "../core/async/event-queue.js";
import type { RpcSessionEvent } from "./schema/index.js";

/** What happens to the sessions of a gateway, for a program that lists them. */
export type SessionsEvent =
  /** It was made, described, or its agent has begun or ended its work. */
  | ({ type: "session" } & RpcSessionEvent)
  /** `open`: from here on changes are told; list them now. */
  | { type: "connection"; state: "open" | "lost" };

/** Follows the list of sessions over as many connections as it takes. */
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

  take(event: RpcSessionEvent): void {
    if (this.#open) this.queue.push({ type: "session", ...event });
  }

  lost(): void {
    if (!this.#open) return;
    this.#open = false;
    this.queue.push({ type: "connection", state: "lost" });
  }
}
