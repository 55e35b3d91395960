import type { SocketConstructor, SocketLike } from "../../client/socket.js";
import { wordsOf } from "../../core/error.js";

type Listener = (event: { code: number; reason: string } & { data: unknown }) => void;

/**
 * Makes a constructor of sockets from a function that opens one and returns it open. It can decide at each attempt where to
 * connect, so a client that reconnects finds the gateway that runs then, or none.
 */
export function socketsOf(open: () => Promise<SocketLike>): SocketConstructor {
  return class implements SocketLike {
    readonly #listeners: { type: string; listener: Listener }[] = [];
    #socket: SocketLike | undefined;
    #closed = false;

    constructor() {
      open().then(
        (socket) => this.#adopt(socket),
        (error: unknown) => this.#emit("close", { code: 1006, reason: wordsOf(error) }),
      );
    }

    send(text: string): void {
      this.#socket?.send(text);
    }

    close(code?: number, reason?: string): void {
      this.#closed = true;
      this.#socket?.close(code, reason);
    }

    addEventListener(type: string, listener: Listener | (() => void)): void {
      this.#listeners.push({ type, listener });
    }

    #adopt(socket: SocketLike): void {
      this.#socket = socket;
      socket.addEventListener("error", () => this.#emit("error"));
      socket.addEventListener("message", ({ data }) => this.#emit("message", { data }));
      socket.addEventListener("close", ({ code, reason }) => this.#emit("close", { code, reason }));
      if (this.#closed) socket.close();
      else this.#emit("open");
    }

    #emit(type: string, { code = 1000, reason = "", data = undefined as unknown } = {}): void {
      for (const known of this.#listeners) if (known.type === type) known.listener({ code, reason, data });
    }
  };
}
