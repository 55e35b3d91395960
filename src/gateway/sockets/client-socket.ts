import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Caller, ClientSocket } from "../types.js";
import { frameText } from "./text-frame.js";

export const closeCodes = {
  goingAway: 1001,
  notText: 1003,
  policy: 1008,
  failed: 1011,
  /** Too much is unread. The client may reconnect and resume. */
  tryAgain: 1013,
} as const;

/** The close reason when a token is no longer accepted. */
export const NOT_VALID = "the token was revoked or has expired";

export interface SocketHooks {
  unreadBytes: number;
  /** How long a client may take to confirm a close. */
  closeMs: number;
  onFrame(): void;
  /** Counts a request. False if it exceeds the rate limit. */
  charge(): boolean;
  /** Whether the token is still accepted. Checked before each message. */
  isValid(): Promise<boolean>;
  /** The client was disconnected because too much was unread. */
  onDrop(): void;
  /** A protocol threw while it handled a message. */
  onFailure(error: unknown): void;
}

/** How much is buffered before one write to the connection. */
const GATHERED_BYTES = 64 * 1024;

export class WsClientSocket implements ClientSocket {
  readonly caller: Caller;
  readonly #ws: WebSocket;
  /** The stream below the WebSocket. */
  readonly #connection: Duplex;
  readonly #hooks: SocketHooks;
  /** Whether anything arrived since the last ping. */
  #alive = true;
  #ending: NodeJS.Timeout | undefined;
  /** Messages are delivered one after another, and the close after all of them. */
  #turn: Promise<void> = Promise.resolve();
  #unsent = 0;
  #corked = false;
  #waiting: (() => void)[] = [];

  constructor(ws: WebSocket, connection: Duplex, caller: Caller, hooks: SocketHooks) {
    this.#ws = ws;
    this.#connection = connection;
    this.caller = caller;
    this.#hooks = hooks;
    ws.on("pong", () => {
      this.#alive = true;
    });
    // The library reports a bad frame to the client in the close code (1002, 1007, 1009).
    ws.on("error", () => undefined);
    ws.on("close", () => clearTimeout(this.#ending));
  }

  send(text: string | Uint8Array): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    // Checks only what is queued already, so that a client that reads can get a message of any size.
    if (this.#ws.bufferedAmount > this.#hooks.unreadBytes) {
      this.#hooks.onDrop();
      this.close(closeCodes.tryAgain, "too much is unread");
      return;
    }
    this.#unsent += 1;
    this.#cork();
    // Not `ws.send`, which frames a message to many clients for each of them. Frames are not compressed, so none wait in the library.
    this.#connection.write(frameText(text), this.#onSent);
  }

  /** Writes the frames of one tick with one system call, which costs more than everything else. */
  #cork(): void {
    if (this.#corked && this.#connection.writableLength < GATHERED_BYTES) return;
    if (this.#corked) this.#connection.uncork();
    else process.nextTick(this.#uncork);
    this.#corked = true;
    this.#connection.cork();
  }

  readonly #uncork = (): void => {
    this.#corked = false;
    this.#connection.uncork();
  };

  drained(): Promise<void> {
    return this.#unsent === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  charge(): boolean {
    return this.#hooks.charge();
  }

  readonly #onSent = (): void => {
    this.#unsent -= 1;
    if (this.#unsent === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  };

  close(code: number, reason: string): void {
    this.#ws.close(code, reason);
    // A client that reads nothing does not confirm the close.
    this.#ending ??= setTimeout(() => this.#ws.terminate(), this.#hooks.closeMs).unref();
  }

  onMessage(listener: (text: string) => void): void {
    this.#ws.on("message", (data, isBinary) => {
      this.#alive = true;
      if (this.#ws.readyState !== this.#ws.OPEN) return;
      if (isBinary) return this.close(closeCodes.notText, "only text messages are supported");
      this.#hooks.onFrame();
      if (!this.charge()) return this.close(closeCodes.policy, "too many messages");
      this.#turn = this.#turn.then(() => this.#receive(data.toString(), listener));
    });
  }

  /** Delivers a message even if the client disconnected after sending it. */
  async #receive(text: string, listener: (text: string) => void): Promise<void> {
    const isValid = await this.#hooks.isValid().catch((error: unknown) => {
      this.#hooks.onFailure(error);
      return undefined;
    });
    if (this.#ending !== undefined) return;
    if (isValid === undefined) this.close(closeCodes.failed, "the token cannot be checked");
    else if (!isValid) this.close(closeCodes.policy, NOT_VALID);
    else this.guard(() => listener(text));
  }

  onClose(listener: () => void): void {
    this.#ws.on("close", () => {
      this.#turn = this.#turn.then(() => this.guard(listener));
    });
  }

  /** Runs work for this client; if it throws, only this client is disconnected. */
  guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#hooks.onFailure(error);
      this.close(closeCodes.failed, "something went wrong");
    }
  }

  /** Pings the client, or disconnects it if nothing arrived since the last ping. */
  checkAlive(): void {
    if (!this.#alive) this.#ws.terminate();
    else if (this.#ws.readyState === this.#ws.OPEN) this.#ws.ping();
    this.#alive = false;
  }

  terminate(): void {
    this.#ws.terminate();
  }
}
