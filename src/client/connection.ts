import { DragomanError } from "../core/error.js";
import { parseJson } from "../core/json/parse.js";
import { isObject } from "../core/json/value.js";
import { checked, checks, wire } from "../protocol/checks.js";
import type { MethodName, Params, Result, RpcEvent } from "../protocol/schema.js";
import type { SocketConstructor, SocketLike } from "./socket.js";

interface Waiting {
  take(result: unknown): void;
  fail(error: DragomanError): void;
}

export interface ConnectionOptions {
  url: string;
  token: string;
  WebSocket: SocketConstructor;
  onEvent(event: RpcEvent): void;
  onClose(why: DragomanError): void;
}

/** One socket, from its opening to its end. */
export class Connection {
  readonly #socket: SocketLike;
  readonly #waiting = new Map<number, Waiting>();
  readonly #options: ConnectionOptions;
  #lastId = 0;
  #lost: DragomanError | undefined;

  private constructor(socket: SocketLike, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.addEventListener("message", ({ data }) => this.#take(data));
    socket.addEventListener("close", ({ code, reason }) => this.#end(disconnected(code, reason)));
  }

  /** Fulfilled when the socket is open; rejected with `client/disconnected` when that fails. */
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

  /** `onResult` is called before any later frame of the server is processed. */
  call<M extends MethodName>(
    method: M,
    params: Params<M>,
    onResult?: (result: Result<M>) => void,
  ): Promise<Result<M>> {
    const lost = this.#lost;
    if (lost !== undefined) return Promise.reject(lost);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {
        take: (value) => {
          const result = checked(checks[method].result, value, `the answer to ${method}`);
          onResult?.(result);
          resolve(result);
        },
        fail: reject,
      });
      this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  close(): void {
    this.#socket.close(1000, "done");
    this.#end(disconnected(1000, "done"));
  }

  #take(data: unknown): void {
    if (this.#lost !== undefined) return;
    try {
      this.#read(typeof data === "string" ? parseJson(data) : data);
    } catch (error) {
      // An invalid frame must not be skipped: its event would be missing from then on.
      const cause = error instanceof Error ? error : new Error(String(error));
      this.#socket.close(4000, "not understood");
      this.#end(
        new DragomanError("client/bad-frame", `the server sent an invalid frame: ${cause.message}`, {
          cause,
        }),
      );
    }
  }

  #read(frame: unknown): void {
    if (isObject(frame) && "event" in frame) {
      this.#options.onEvent(wire.parse("RpcEvent", frame));
      return;
    }
    const { id, result, error } = wire.parse("RpcResponse", frame);
    const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (error === undefined) waiting?.take(result);
    else waiting?.fail(refused(error));
    if (typeof id === "number") this.#waiting.delete(id);
  }

  #end(why: DragomanError): void {
    if (this.#lost !== undefined) return;
    this.#lost = why;
    for (const { fail } of this.#waiting.values()) fail(why);
    this.#waiting.clear();
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
