import type { SocketLike } from "../../client/socket.js";
import { decodeUtf8 } from "../../framing/utf8.js";
import type { Caller, ClientSocket, SocketRoute } from "../../gateway/types.js";

type Listeners = {
  open: (() => void)[];
  error: (() => void)[];
  close: ((event: { code: number; reason: string }) => void)[];
  message: ((event: { data: unknown }) => void)[];
};

/** An open connection within this process: what one side sends, the other receives later, in order. */
export class LocalSocket implements SocketLike {
  readonly #listeners: Listeners = { open: [], error: [], close: [], message: [] };
  #onMessage: (text: string) => void = () => undefined;
  #onClose: () => void = () => undefined;
  #isOpen = true;

  /** Connects to a route of the gateway. */
  constructor(route: Pick<SocketRoute, "open">, caller: Caller) {
    const server: ClientSocket = {
      caller,
      send: (data) => this.#deliver(typeof data === "string" ? data : (decodeUtf8(data) ?? "")),
      drained: async () => undefined,
      charge: () => true,
      close: (code, reason) => this.close(code, reason),
      onMessage: (listener) => {
        this.#onMessage = listener;
      },
      onClose: (listener) => {
        this.#onClose = listener;
      },
    };
    const url = new URL("local:/rpc");
    route.open(server, { id: "local", url, params: {}, headers: {} });
  }

  send(text: string): void {
    queueMicrotask(() => {
      if (this.#isOpen) this.#onMessage(text);
    });
  }

  close(code = 1000, reason = ""): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    queueMicrotask(() => {
      this.#onClose();
      for (const listener of this.#listeners.close) listener({ code, reason });
    });
  }

  addEventListener<T extends keyof Listeners>(type: T, listener: Listeners[T][number]): void {
    const listeners: Listeners[T][number][] = this.#listeners[type];
    listeners.push(listener);
  }

  #deliver(data: string): void {
    queueMicrotask(() => {
      if (!this.#isOpen) return;
      for (const listener of this.#listeners.message) listener({ data });
    });
  }
}
