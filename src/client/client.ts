import { backoff } from "../core/async/backoff.js";
import { type Clock, systemClock } from "../core/async/clock.js";
import { onAbort } from "../core/async/on-abort.js";
import { DragomanError } from "../core/error.js";
import { newId } from "../core/ids.js";
import type { MethodName, Params, Result } from "../protocol/schema.js";
import { PROTOCOL } from "../protocol/version.js";
import { Connection } from "./connection.js";
import type { FrameWatch } from "./frame-watch.js";
import { type SessionsEvent, SessionWatch } from "./session-watch.js";
import type { SocketConstructor } from "./socket.js";
import { Watch, type WatchEvent, type WatchOptions } from "./watch.js";

/** Tests pass their own. */
export type ClientWorld = Pick<Clock, "random" | "after">;

export interface ClientOptions {
  /** `ws://127.0.0.1:18800/rpc` */
  url: string;
  token: string;
  /** The socket constructor (default: the global one, which Node has from version 22). */
  WebSocket?: SocketConstructor;
  world?: ClientWorld;
}

interface ConnectOptions extends Pick<Required<ClientOptions>, "url" | "WebSocket" | "world"> {
  /** The subprotocol that authenticates the client, for each connection. */
  credential(): Promise<string>;
}

type AnyWatch = Watch | SessionWatch | FrameWatch;

type OutgoingMessage = Omit<Params<"chat.send">, "sessionKey">;

/**
 * Connects to a gateway. Rejects with `client/disconnected` if the address or the token is wrong. After that, a lost
 * connection is reopened until `close`.
 *
 * @example
 * const client = await connectDragoman({ url: "ws://127.0.0.1:18800/rpc", token });
 * await client.send("agent:main:main", "Hello!");
 * for await (const event of client.watch("agent:main:main", { after: 0 })) show(event);
 */
export async function connectDragoman(options: ClientOptions): Promise<DragomanClient> {
  const { WebSocket = globalThis.WebSocket, world = systemClock, url, token } = options;
  const client = new DragomanClient({ WebSocket, world, url, credential: async () => `bearer.${token}` });
  await client.connect();
  return client;
}

export class DragomanClient {
  readonly #options: ConnectOptions;
  readonly #watches = new Set<AnyWatch>();
  #connection: Connection | undefined;
  /** Calls that wait for a connection. */
  #waiting: { go: (connection: Connection) => void; fail: (error: DragomanError) => void }[] = [];
  #cancelPause: () => void = () => undefined;
  /** The next attempt to connect, during the pause before it. */
  #connectNow: (() => void) | undefined;
  #closed = false;

  constructor(options: ConnectOptions) {
    this.#options = options;
  }

  async connect(): Promise<void> {
    const { url, WebSocket } = this.#options;
    const connection = await Connection.open({
      ...{ url, WebSocket, credential: await this.#options.credential() },
      onEvent: (event) => {
        for (const watch of this.#watches) watch.accept(event);
      },
      onClose: () => this.#onLost(connection),
    });
    await connection.call("connect", { protocol: PROTOCOL });
    if (this.#closed) {
      connection.close();
      return;
    }
    this.#connection = connection;
    for (const { go } of this.#waiting.splice(0)) go(connection);
    for (const watch of this.#watches) void this.#join(watch, connection);
  }

  /**
   * Calls a method. Waits while there is no connection. Rejects with `client/refused` (`details.code` is the server's
   * code), or with `client/disconnected` if the connection is lost before the response.
   */
  async call<M extends MethodName>(method: M, params: Params<M>): Promise<Result<M>> {
    const connection = await this.#connected();
    return connection.call(method, params);
  }

  /** Sends a message to a session exactly once, even if the connection is lost. Resolves when it is on the server's disk. */
  async send(sessionKey: string, message: string | OutgoingMessage): Promise<Result<"chat.send">> {
    const fields = typeof message === "string" ? { text: message } : message;
    const params = { idempotencyKey: newId(), ...fields, sessionKey };
    for (;;) {
      try {
        return await this.call("chat.send", params);
      } catch (error) {
        if (!isDisconnected(error)) throw error;
      }
    }
  }

  /**
   * A session's events, without gaps or repeats, across reconnections. Leaving the loop ends the subscription. The loop
   * throws when the server refuses, for example because the agent does not exist. The session may be created later.
   */
  watch(sessionKey: string, options: WatchOptions = {}): AsyncIterable<WatchEvent> {
    if ([...this.#watches].some((other) => other instanceof Watch && other.sessionKey === sessionKey)) {
      throw new DragomanError("client/watched", `${sessionKey} is already being watched`, {
        hint: "leave the other loop first, or share its events",
      });
    }
    const watch = new Watch(sessionKey, options, () => this.#leave(watch));
    this.#add(watch);
    onAbort(options.signal, () => {
      watch.queue.end();
      this.#leave(watch);
    });
    return watch.queue;
  }

  /**
   * Changes to the gateway's sessions, across reconnections. Leaving the loop ends the subscription.
   *
   * @example
   * for await (const event of client.sessions()) {
   *   if (event.type === "session") show(event.session, event.busy);
   *   else if (event.state === "open") showAll(await client.call("sessions.list", {}));
   * }
   */
  sessions(): AsyncIterable<SessionsEvent> {
    const watch = new SessionWatch(() => this.#leave(watch));
    this.#add(watch);
    return watch.queue;
  }

  /** Follows a session with a watch of the caller's own; returns a function that ends it. */
  follow(watch: FrameWatch): () => void {
    this.#add(watch);
    return () => this.#leave(watch);
  }

  /** Connects in the background, and tries again until it succeeds. */
  start(): void {
    this.#reconnect(0, 0);
  }

  /** Reconnects without waiting, for callers that know the server is back. */
  hurry(): void {
    this.#cancelPause();
    this.#connectNow?.();
  }

  close(): void {
    this.#closed = true;
    this.#cancelPause();
    this.#connectNow = undefined;
    for (const { fail } of this.#waiting.splice(0)) fail(closed());
    for (const watch of this.#watches) watch.end();
    this.#watches.clear();
    this.#connection?.close();
    this.#connection = undefined;
  }

  #connected(): Promise<Connection> {
    if (this.#closed) return Promise.reject(closed());
    const connection = this.#connection;
    if (connection !== undefined) return Promise.resolve(connection);
    return new Promise((go, fail) => this.#waiting.push({ go, fail }));
  }

  #add(watch: AnyWatch): void {
    this.#watches.add(watch);
    if (this.#closed) watch.end({ error: closed() });
    const connection = this.#connection;
    if (connection !== undefined) void this.#join(watch, connection);
  }

  async #join(watch: AnyWatch, connection: Connection): Promise<void> {
    try {
      if (watch instanceof SessionWatch) {
        await watch.join((onResult) => connection.call("sessions.subscribe", {}, onResult));
      } else {
        await watch.join((params, onResult) => connection.call("chat.subscribe", params, onResult));
      }
      if (!this.#watches.has(watch)) this.#unsubscribe(watch);
    } catch (error) {
      // The next connection joins again.
      if (isDisconnected(error)) return;
      this.#watches.delete(watch);
      watch.end({ error });
    }
  }

  #leave(watch: AnyWatch): void {
    if (this.#watches.delete(watch)) this.#unsubscribe(watch);
  }

  #unsubscribe(watch: AnyWatch): void {
    // The session list has no unsubscribe method, and a lost connection has no subscriptions.
    if (watch instanceof SessionWatch) return;
    this.#connection?.call("chat.unsubscribe", { sessionKey: watch.sessionKey }).catch(() => undefined);
  }

  #onLost(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    for (const watch of this.#watches) watch.lost();
    if (!this.#closed) this.#reconnect(0);
  }

  #reconnect(attempt: number, pauseMs = backoff(attempt, this.#options.world)): void {
    const { world } = this.#options;
    this.#connectNow = () => {
      this.#connectNow = undefined;
      this.connect().catch(() => {
        if (!this.#closed) this.#reconnect(attempt + 1);
      });
    };
    this.#cancelPause = world.after(pauseMs, () => this.#connectNow?.());
  }
}

function isDisconnected(error: unknown): boolean {
  return error instanceof DragomanError && error.code === "client/disconnected";
}

function closed(): DragomanError {
  return new DragomanError("client/closed", "the client was closed", { hint: "connect again" });
}
