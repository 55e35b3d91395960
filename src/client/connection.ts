import { PendingCalls } from "../core/async/pending-calls.js";
import { DragomanError, wordsOf } from "../core/error.js";
import { parseJson } from "../core/json/parse.js";
import { isObject } from "../core/json/value.js";
import { checked, checks, wire } from "../protocol/checks.js";
import type { MethodName, Params, Result, RpcEvent } from "../protocol/schema.js";
import type { SocketConstructor, SocketLike } from "./socket.js";

export interface ConnectionOptions {
  url: string;
  token: string;
  WebSocket: SocketConstructor;
  onEvent(event: RpcEvent): void;
  onClose(why: DragomanError): void;
}

/** One open socket. */
export class Connection {
  readonly #socket: SocketLike;
  readonly #pending = new PendingCalls();
  readonly #options: ConnectionOptions;
  #lost: DragomanError | undefined;

  private constructor(socket: SocketLike, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.addEventListener("message", ({ data }) => this.#receive(data));
    socket.addEventListener("close", ({ code, reason }) => this.#end(disconnected(code, reason)));
  }

  /** Resolves when the socket is open; rejects with `client/disconnected` if that fails. */
  static open(options: ConnectionOptions): Promise<Connection> {
    const { url, token, WebSocket } = options;
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, ["dragoman.v1", `bearer.${token}`]);
      socket.addEventListener("open", () => resolve(new Connection(socket, options)));
      // Browsers do not report the cause; "close" always follows.
      socket.addEventListener("error", () => undefined);
      socket.addEventListener("close", ({ code, reason }) => reject(disconnected(code, reason)));
    });
  }

  /** `onResult` is called before any later frame is processed. */
  call<M extends MethodName>(
    method: M,
    params: Params<M>,
    onResult?: (result: Result<M>) => void,
  ): Promise<Result<M>> {
    const lost = this.#lost;
    if (lost !== undefined) return Promise.reject(lost);
    const id = this.#pending.newId();
    return new Promise((resolve, reject) => {
      this.#pending.add(id, {
        resolve: (value) => {
          const result = checked(checks[method].result, value, `the answer to ${method}`);
          onResult?.(result);
          resolve(result);
        },
        reject,
      });
      this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  close(): void {
    this.#socket.close(1000, "done");
    this.#end(disconnected(1000, "done"));
  }

  #receive(data: unknown): void {
    if (this.#lost !== undefined) return;
    try {
      this.#read(typeof data === "string" ? parseJson(data) : data);
    } catch (error) {
      // Skipping an invalid frame would lose its event.
      const message = `the server sent an invalid frame: ${wordsOf(error)}`;
      this.#socket.close(4000, "not understood");
      this.#end(new DragomanError("client/bad-frame", message, { cause: error }));
    }
  }

  #read(frame: unknown): void {
    if (isObject(frame) && "event" in frame) {
      this.#options.onEvent(wire.parse("RpcEvent", frame));
      return;
    }
    const { id, result, error } = wire.parse("RpcResponse", frame);
    const call = this.#pending.get(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(refused(error));
    this.#pending.remove(id);
  }

  #end(why: DragomanError): void {
    if (this.#lost !== undefined) return;
    this.#lost = why;
    this.#pending.rejectAll(why);
    this.#options.onClose(why);
  }
}

function disconnected(code: number, reason: string): DragomanError {
  const why = reason === "" ? `${code}` : `${code}, ${reason}`;
  return new DragomanError("client/disconnected", `the connection was lost (${why})`, {
    details: { code },
    hint: "the outcome is unknown; retry with an idempotencyKey",
  });
}

function refused({ code, message, data }: { code: number; message: string; data?: unknown }): DragomanError {
  return new DragomanError("client/refused", message, { details: { code, data } });
}
