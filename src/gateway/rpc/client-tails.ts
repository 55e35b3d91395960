import { setTimeout } from "node:timers/promises";
import type { Dialect } from "../../core/dialect.js";
import { newId } from "../../core/ids.js";
import type { SessionSummary } from "../../log/catalogue/types.js";
import type { Result } from "../../protocol/schema.js";
import type { SessionTail } from "../../runtime/tail/session-tail.js";
import { notFound, refuse } from "../refusals.js";

type Added = Result<"tail.next">["messages"];

/** Each keeps files under watch. */
const MAX_TAILS = 8;

/** The sessions of other programs that one client follows. They end with its connection. */
export class ClientTails {
  readonly #open = new Map<string, SessionTail>();
  #isClosed = false;

  async open({ path }: SessionSummary, dialect: Dialect, last: number): Promise<Result<"tail.open">> {
    if (this.#open.size >= MAX_TAILS) {
      throw refuse(
        "rate_limited",
        `a client can follow ${MAX_TAILS} sessions of other programs; close one first`,
      );
    }
    // Loaded by the first client that follows a session, to keep start-up fast.
    const { SessionTail } = await import("../../runtime/tail/session-tail.js");
    const tail = await SessionTail.open(path, dialect, { isWanted: ({ role }) => role !== "session", last });
    const id = newId();
    this.#open.set(id, tail);
    if (this.#isClosed) this.end(id);
    return { tail: id, messages: await tail.read(last) };
  }

  /** What was added since the last call; waits for it. Empty after `timeoutMs`. */
  async next(id: string, timeoutMs: number, signal: AbortSignal): Promise<Added> {
    const tail = this.#open.get(id);
    if (tail === undefined) throw notFound(`there is no tail ${JSON.stringify(id)} on this connection`);
    const done = new AbortController();
    const timeout = setTimeout(timeoutMs, "late" as const, {
      signal: AbortSignal.any([signal, done.signal]),
      ref: false,
    }).catch(() => "late" as const);
    try {
      for (;;) {
        const added = await tail.read();
        if (added.length > 0 || signal.aborted) return added;
        if ((await Promise.race([tail.changed(), timeout])) === "late") return [];
      }
    } finally {
      done.abort();
    }
  }

  /** False if there is no such tail. */
  end(id: string): boolean {
    this.#open.get(id)?.close();
    return this.#open.delete(id);
  }

  close(): void {
    this.#isClosed = true;
    for (const id of [...this.#open.keys()]) this.end(id);
  }
}
