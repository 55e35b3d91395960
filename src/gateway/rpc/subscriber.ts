import type { Position } from "../../log/types.js";
import type { RpcEvent } from "../../protocol/schema.js";
import { CatchUpQueue } from "../sockets/catch-up-queue.js";
import type { ClientSocket } from "../types.js";

/** Events of one session, for its subscribers. */
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
  readonly #queue: CatchUpQueue;
  /** The client has the messages before it. */
  position: Position = 0;

  constructor(
    socket: Pick<ClientSocket, "send" | "close">,
    events: Iterable<EventName>,
    maxQueuedBytes: number,
  ) {
    this.#socket = socket;
    this.#events = new Set(events);
    this.#queue = new CatchUpQueue(socket, maxQueuedBytes, () =>
      this.close("too many events were queued before the subscription was confirmed"),
    );
    this.#queue.pause();
  }

  wants(event: EventName): boolean {
    return this.#events.has(event);
  }

  send(frame: Uint8Array): void {
    this.#queue.send(frame);
  }

  flush(first?: readonly Uint8Array[]): void {
    this.#queue.resume(first);
  }

  close(reason: string): void {
    this.#socket.close(1013, reason);
  }
}
