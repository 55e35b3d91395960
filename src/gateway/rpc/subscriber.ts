import type { Position } from "../../log/types.js";
import type { RpcEvent } from "../../protocol/schema.js";
import type { ClientSocket } from "../types.js";

/** What is told of one session to those who subscribed to it. */
export type FeedEvent = Exclude<RpcEvent, { event: "session" }>;
export type EventName = FeedEvent["event"];

export const EVENT_NAMES: readonly EventName[] = ["agent", "chat", "message", "permission"];

export function frameOf(event: RpcEvent): Uint8Array {
  return Buffer.from(JSON.stringify(event));
}

/** A client that receives a session's events. They are queued until its request is answered. */
export class Subscriber {
  readonly #socket: Pick<ClientSocket, "send" | "close">;
  readonly #events: ReadonlySet<EventName>;
  readonly #maxQueuedBytes: number;
  #queued: Uint8Array[] | undefined = [];
  #queuedBytes = 0;
  /** Messages before this place they have. */
  position: Position = 0;

  constructor(
    socket: Pick<ClientSocket, "send" | "close">,
    events: Iterable<EventName>,
    maxHeldBytes: number,
  ) {
    this.#socket = socket;
    this.#events = new Set(events);
    this.#maxQueuedBytes = maxHeldBytes;
  }

  wants(event: EventName): boolean {
    return this.#events.has(event);
  }

  send(frame: Uint8Array): void {
    if (this.#queued === undefined) {
      this.#socket.send(frame);
      return;
    }
    this.#queued.push(frame);
    this.#queuedBytes += frame.length;
    if (this.#queuedBytes > this.#maxQueuedBytes)
      this.close("too many events were queued before the subscription was confirmed");
  }

  flush(first: readonly Uint8Array[] = []): void {
    const held = this.#queued ?? [];
    this.#queued = undefined;
    for (const frame of [...first, ...held]) this.#socket.send(frame);
  }

  close(reason: string): void {
    this.#socket.close(1013, reason);
  }
}
