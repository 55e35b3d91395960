import type { WebSocket } from "ws";
import { type ClientSocket, type GuestSocket, RefusedError } from "../types.js";
import { closeCodes } from "./client-socket.js";

/** How long a client has for its token. */
const LOGIN_MS = 15_000;
const MAX_LOGIN_BYTES = 64 * 1024;

export interface GuestOptions {
  admit(secret: string | undefined): Promise<ClientSocket>;
  /** How long a client may take to confirm a close. */
  closeMs: number;
}

/** A WebSocket before its client has sent a token. */
export class WsGuestSocket implements GuestSocket {
  readonly first: Promise<string>;
  readonly #ws: WebSocket;
  readonly #options: GuestOptions;
  readonly #timer: NodeJS.Timeout;
  #stopListening = () => {};

  constructor(ws: WebSocket, options: GuestOptions) {
    this.#ws = ws;
    this.#options = options;
    this.#timer = setTimeout(() => this.close(closeCodes.policy, "no token was sent in time"), LOGIN_MS);
    ws.on("close", () => clearTimeout(this.#timer));
    ws.on("error", () => undefined);
    this.first = new Promise((resolve) => {
      let count = 0;
      const listener = (data: Buffer | ArrayBuffer | Buffer[], isBinary: boolean) => {
        const text = data.toString();
        if (isBinary) this.close(closeCodes.notText, "only text messages are supported");
        else if (text.length > MAX_LOGIN_BYTES)
          this.close(closeCodes.policy, "the first message is too long");
        else if (count++ === 0) resolve(text);
        else this.close(closeCodes.policy, "a message was sent before the log-in was answered");
      };
      ws.on("message", listener);
      this.#stopListening = () => ws.off("message", listener);
    });
  }

  send(text: string): void {
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.send(text);
  }

  close(code: number, reason: string): void {
    clearTimeout(this.#timer);
    this.#stopListening();
    this.#ws.close(code, reason);
    const ending = setTimeout(() => this.#ws.terminate(), this.#options.closeMs).unref();
    this.#ws.on("close", () => clearTimeout(ending));
  }

  terminate(): void {
    this.#ws.terminate();
  }

  async admit(secret: string | undefined): Promise<ClientSocket> {
    const socket = await this.#options.admit(secret);
    if (this.#ws.readyState !== this.#ws.OPEN) throw gone();
    clearTimeout(this.#timer);
    this.#stopListening();
    return socket;
  }
}

function gone(): RefusedError {
  const message = "the client has disconnected";
  return new RefusedError({ status: 499, reason: "invalid_request", message });
}
