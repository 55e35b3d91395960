import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Caller, ClientSocket } from "../types.js";

/** Close codes: what a client did, or what it can do about it. */
export const closeCodes = {
  goingAway: 1001,
  notText: 1003,
  policy: 1008,
  failed: 1011,
  /** It leaves too much unread. It may come back and go on from where it was. */
  tryAgain: 1013,
} as const;

/** The reason with which a socket is closed whose token is not accepted any more. */
export const NOT_VALID = "the token was revoked or has expired";

export interface SocketHooks {
  unreadBytes: number;
  /** How long a client may take to answer that the connection is closed. */
  closeMs: number;
  /** A message came. */
  onFrame(): void;
  /** Counts a request. False when that was one too many. */
  charge(): boolean;
  /** Whether the token is still accepted: asked before each message. */
  isValid(): Promise<boolean>;
  /** The client was dropped because it did not read. */
  onDrop(): void;
  /** A protocol failed on something a client sent. */
  onFailure(error: unknown): void;
}

/** What is gathered before it is handed to the system. */
const GATHERED_BYTES = 64 * 1024;

/** A client's WebSocket, as protocols see it. */
export class WsClientSocket implements ClientSocket {
  readonly caller: Caller;
  readonly #ws: WebSocket;
  /** What the WebSocket writes to. */
  readonly #connection: Duplex;
  readonly #hooks: SocketHooks;
  /** Whether it showed a sign of life since it was last asked for one. */
  #alive = true;
  #ending: NodeJS.Timeout | undefined;
  /** Messages are handed over one after the other, and the end of the connection after all of them. */
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
    // What is wrong with a frame is told by the close code that the library sends (1002, 1007, 1009).
    ws.on("error", () => undefined);
    ws.on("close", () => clearTimeout(this.#ending));
  }

  send(text: string | Uint8Array): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    // What is looked at is what waits already: whoever reads what comes is sent any message, however large.
    if (this.#ws.bufferedAmount > this.#hooks.unreadBytes) {
      this.#hooks.onDrop();
      this.close(closeCodes.tryAgain, "too much is unread");
      return;
    }
    this.#unsent += 1;
    this.#cork();
    this.#ws.send(text, { binary: false }, this.#onSent);
  }

  /** Frames of one moment leave together: the system is asked once for all of them, which costs more than all the rest. */
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
    // A client that reads nothing does not read this either.
    this.#ending ??= setTimeout(() => this.#ws.terminate(), this.#hooks.closeMs).unref();
  }

  onMessage(listener: (text: string) => void): void {
    this.#ws.on("message", (data, isBinary) => {
      this.#alive = true;
      if (this.#ws.readyState !== this.#ws.OPEN) return;
      if (isBinary) return this.close(closeCodes.notText, "only text is understood");
      this.#hooks.onFrame();
      if (!this.charge()) return this.close(closeCodes.policy, "too many messages");
      this.#turn = this.#turn.then(() => this.#receive(data.toString(), listener));
    });
  }

  /** A message that came before the client hung up is still handed over. */
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

  /** Does something for this client; if that fails, it fails for this client only. */
  guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#hooks.onFailure(error);
      this.close(closeCodes.failed, "something went wrong");
    }
  }

  /** Asks for a sign of life. Who gave none since the last time is dropped. */
  checkAlive(): void {
    if (!this.#alive) this.#ws.terminate();
    else if (this.#ws.readyState === this.#ws.OPEN) this.#ws.ping();
    this.#alive = false;
  }

  terminate(): void {
    this.#ws.terminate();
  }
}
