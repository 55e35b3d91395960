import type { SessionSummary } from "../log/catalogue/types.js";
import type { Conversation } from "../runtime/conversation.js";
import { mayUse } from "./auth/permit.js";
import type { Gateway, Permit } from "./types.js";

/** A client that is told about all sessions that it may use. */
export interface SessionListener<F> {
  caller: Permit;
  send(frame: F): void;
}

/** Reports new, changed and busy sessions to clients, in the frames of a protocol. */
export class SessionChanges<F> {
  readonly #gateway: Gateway;
  readonly #frameOf: (found: SessionSummary, running: Conversation | undefined) => F;
  readonly #listeners = new Set<SessionListener<F>>();
  /** Sessions that are reported when the index has their changes. */
  readonly #due = new Set<string>();

  constructor(gateway: Gateway, frameOf: (found: SessionSummary, running: Conversation | undefined) => F) {
    this.#gateway = gateway;
    this.#frameOf = frameOf;
    gateway.runtime.watch(({ session }: Conversation) => this.reportChange(session.id));
  }

  join(listener: SessionListener<F>): void {
    this.#listeners.add(listener);
  }

  leave(listener: SessionListener<F>): void {
    this.#listeners.delete(listener);
  }

  reportChange(id: string): void {
    if (this.#listeners.size === 0 || this.#due.has(id)) return;
    this.#due.add(id);
    this.#emit(id).catch((error: unknown) => {
      if (this.#gateway.closing.aborted) return;
      this.#gateway.logger.error({ err: error, session: id }, "could not report a session change");
    });
  }

  async #emit(id: string): Promise<void> {
    const { catalogue } = this.#gateway.runtime;
    await catalogue.indexSoon(id);
    this.#due.delete(id);
    // `get` would open an index that is closed.
    if (this.#gateway.closing.aborted) return;
    const found = await catalogue.get(id);
    if (found === undefined || this.#gateway.closing.aborted) return;
    const running = this.#gateway.runtime.running().find(({ session }) => session.id === id);
    const frame = this.#frameOf(found, running);
    for (const listener of this.#listeners) if (mayUse(listener.caller, found.agent)) listener.send(frame);
  }
}
