import { OpenRequests } from "../core/async/open-requests.js";
import { PendingCalls } from "../core/async/pending-calls.js";
import { DragomanError, wordsOf } from "../core/error.js";
import { parseJson } from "../core/json/parse.js";
import { isObject, type JsonObject } from "../core/json/value.js";
import { CODES } from "./codes.js";

/** A request that failed, as JSON-RPC reports it. */
export class RequestError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type Id = string | number | null;

export interface PeerOptions {
  /** Writes one frame, without the newline. */
  write(text: string): void;
  /** Handles a request. The signal aborts when the other side cancels it. */
  onRequest(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  onNotification(method: string, params: unknown): void;
  /** Called for frames that cannot be answered, and for failures of our own. */
  onProblem(text: string, error?: unknown): void;
}

/** One side of a JSON-RPC connection. Both sides send requests and notifications. */
export class Peer {
  readonly #options: PeerOptions;
  readonly #pending = new PendingCalls();
  readonly #handling = new OpenRequests();
  #closed = false;

  constructor(options: PeerOptions) {
    this.#options = options;
  }

  /** Processes a frame. Never throws: whatever is wrong with it is answered or reported. */
  receive(text: string): void {
    let frame: unknown;
    try {
      frame = parseJson(text);
    } catch (error) {
      this.#respond(null, { error: { code: CODES.parse, message: wordsOf(error) } });
      return;
    }
    this.accept(frame);
  }

  /** Processes a frame that is parsed already. */
  accept(frame: unknown): void {
    if (!isObject(frame)) {
      this.#respond(null, { error: { code: CODES.invalidRequest, message: "a frame must be one object" } });
      return;
    }
    const { id, method, params } = frame;
    if (typeof method !== "string") this.#acceptResponse(frame);
    else if (id === undefined) this.#acceptNotification(method, params);
    else if (isId(id)) this.#handling.start(id, (signal) => this.#handle(id, method, params, signal));
    else this.#respond(null, { error: { code: CODES.invalidRequest, message: "invalid id" } });
  }

  /** Sends a request. Rejects with the other side's error, or when the connection or the request is closed. */
  request(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    if (this.#closed) return Promise.reject(closed());
    const id = this.#pending.newId();
    return new Promise((resolve, reject) => {
      const cancel = () => {
        if (this.#pending.remove(id) === undefined) return;
        this.notify("$/cancel_request", { requestId: id });
        reject(new DragomanError("client/closed", `${method} was cancelled`));
      };
      const done =
        <T>(end: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener("abort", cancel);
          end(value);
        };
      this.#pending.add(id, { resolve: done(resolve), reject: done(reject) });
      this.#write({ id, method, params });
      signal?.addEventListener("abort", cancel, { once: true });
      if (signal?.aborted === true) cancel();
    });
  }

  notify(method: string, params: object): void {
    this.#write({ method, params });
  }

  /** Nothing is sent any more; requests in both directions end. */
  close(): void {
    this.#closed = true;
    void this.#handling.close();
    this.#pending.rejectAll(closed());
  }

  async #handle(id: Id, method: string, params: unknown, signal: AbortSignal): Promise<void> {
    try {
      const result = await this.#options.onRequest(method, params ?? {}, signal);
      this.#respond(id, { result });
    } catch (error) {
      this.#respond(id, { error: this.#failureOf(method, error) });
    }
  }

  #failureOf(method: string, error: unknown): { code: number; message: string; data?: unknown } {
    if (error instanceof RequestError) {
      const { code, message, data } = error;
      return { code, message, ...(data === undefined ? {} : { data }) };
    }
    this.#options.onProblem(`${method} failed`, error);
    if (!(error instanceof DragomanError)) return { code: CODES.internal, message: wordsOf(error) };
    const { code, hint } = error;
    return { code: CODES.internal, message: error.message, data: { code, hint } };
  }

  #acceptNotification(method: string, params: unknown): void {
    if (method === "$/cancel_request") {
      if (isObject(params)) this.#handling.cancel(params["requestId"]);
      return;
    }
    try {
      this.#options.onNotification(method, params ?? {});
    } catch (error) {
      this.#options.onProblem(`${method} failed`, error);
    }
  }

  #acceptResponse({ id, result, error }: JsonObject): void {
    const pending = this.#pending.remove(id);
    if (pending === undefined) {
      this.#options.onProblem("skipped a response to no request");
      return;
    }
    if (error === undefined) pending.resolve(result);
    else pending.reject(errorOf(error));
  }

  #respond(id: Id, body: { result: unknown } | { error: object }): void {
    this.#write({ id, ...body });
  }

  #write(frame: object): void {
    if (!this.#closed) this.#options.write(JSON.stringify({ jsonrpc: "2.0", ...frame }));
  }
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || typeof value === "number" || value === null;
}

function errorOf(error: unknown): RequestError {
  const { code, message, data } = isObject(error) ? error : {};
  const words = typeof message === "string" ? message : "the other side failed without a message";
  return new RequestError(typeof code === "number" ? code : CODES.internal, words, data);
}

function closed(): DragomanError {
  return new DragomanError("client/closed", "the connection is closed");
}
