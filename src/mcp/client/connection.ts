import { systemClock } from "../../core/async/clock.js";
import { onAbort } from "../../core/async/on-abort.js";
import { OpenRequests } from "../../core/async/open-requests.js";
import { type PendingCall, PendingCalls } from "../../core/async/pending-calls.js";
import { DragomanError, wordsOf } from "../../core/error.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { type JsonRpcMessage, mcp, messageOf } from "../checks.js";
import { ERROR_CODES } from "../protocol.js";
import type { JsonRpcError, McpProgress } from "../wire.js";
import { QuestionOwners } from "./question-owners.js";
import type { Transport, TransportEvents } from "./transport.js";

export interface RequestOptions {
  /** Cancels the request. */
  signal?: AbortSignal;
  /** The longest wait for the answer, or for progress since the last one (default: 60 seconds). */
  timeoutMs?: number;
  /** The longest wait for the answer whatever the progress (default: 30 minutes). */
  hardTimeoutMs?: number;
  onProgress?(progress: McpProgress): void;
  /** Answers a question that the server asks while it handles the request. */
  onQuestion?: AnswerRequest;
  headers?: Readonly<Record<string, string>>;
}

/** Answers a request of the server; throws if it cannot. */
export type AnswerRequest = (method: string, params: JsonObject, signal: AbortSignal) => Promise<object>;

export interface ConnectionEvents {
  onNotification(method: string, params: JsonObject): void;
  onClose(why: Error): void;
  onLine(line: string): void;
}

interface Pending extends PendingCall<JsonObject> {
  options: RequestOptions;
  /** Restarts the time limit. */
  renew(): void;
  /** Stops the time limits while a person is asked; returns a function that restarts them. */
  pause(): () => void;
  /** Aborts when the request has ended. */
  over: AbortController;
}

const TIMEOUT_MS = 60_000;
const HARD_TIMEOUT_MS = 30 * 60_000;

/** An error that the server answered with. */
export class ServerError extends DragomanError {
  readonly error: JsonRpcError;

  constructor(error: JsonRpcError) {
    super("mcp/failed", `the server answered with error ${error.code}: ${error.message}`);
    this.error = error;
  }
}

/** Sends requests over a transport and matches the answers with them. */
export class Connection {
  readonly #transport: Transport;
  readonly #events: ConnectionEvents;
  readonly #pending = new PendingCalls<Pending>();
  /** The server's requests. */
  readonly #asked = new OpenRequests();
  readonly #owners = new QuestionOwners<Pending>();
  /** Added to the `_meta` of each request, in the modern era. */
  envelope: JsonObject = {};
  /** How requests are cancelled over HTTP: closing the response (modern), or a notification (legacy). */
  cancelsByClosing = false;

  constructor(open: (events: TransportEvents) => Transport, events: ConnectionEvents) {
    this.#events = events;
    this.#transport = open({
      onMessage: (value, request) => this.#accept(value, request),
      onLine: (line) => events.onLine(line),
      onClose: (why) => {
        this.#pending.rejectAll(why);
        events.onClose(why);
      },
    });
  }

  get kind(): Transport["kind"] {
    return this.#transport.kind;
  }

  begin(version: string): void {
    this.#transport.begin(version);
  }

  /** The result of a request. Rejects with `ServerError` if the server answers with an error. */
  request(method: string, params: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    const id = this.#pending.newId();
    const given = isObject(params["_meta"]) ? params["_meta"] : {};
    const progress = options.onProgress === undefined ? {} : { progressToken: id };
    const meta = { ...given, ...this.envelope, ...progress };
    const message: JsonRpcMessage = {
      jsonrpc: "2.0",
      id,
      method,
      params: Object.keys(meta).length === 0 ? params : { ...params, _meta: meta },
    };
    return this.#exchange(id, message, options);
  }

  async notify(method: string, params?: JsonObject): Promise<void> {
    await this.#transport.send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
  }

  async close(): Promise<void> {
    this.#pending.rejectAll(new DragomanError("mcp/unavailable", "the connection was closed"));
    await this.#transport.close();
  }

  async #exchange(id: number, message: JsonRpcMessage, options: RequestOptions): Promise<JsonObject> {
    const { signal, timeoutMs = TIMEOUT_MS, hardTimeoutMs = HARD_TIMEOUT_MS, headers } = options;
    const over = new AbortController();
    let cancelTimer = () => {};
    let cancelHardTimer = () => {};
    let pauses = 0;
    const answer = new Promise<JsonObject>((resolve, reject) => {
      const renew = () => {
        cancelTimer();
        if (pauses > 0) return;
        cancelTimer = systemClock.after(timeoutMs, () => reject(lateAfter(timeoutMs)));
      };
      const limit = () => {
        cancelHardTimer();
        cancelHardTimer = systemClock.after(hardTimeoutMs, () => reject(lateAfter(hardTimeoutMs)));
      };
      // A user may take hours to answer a question; after that the server gets its time again.
      const pause = () => {
        pauses++;
        cancelTimer();
        cancelHardTimer();
        return () => {
          pauses--;
          if (over.signal.aborted || pauses > 0) return;
          renew();
          limit();
        };
      };
      this.#pending.add(id, { options, resolve, reject, renew, pause, over });
      renew();
      limit();
    });
    const pending = this.#pending.get(id);
    const unlisten = onAbort(signal, () =>
      pending?.reject(new DragomanError("mcp/failed", "the call was cancelled")),
    );
    const sending = this.#transport.send(message, {
      signal: over.signal,
      ...(headers === undefined ? {} : { headers }),
    });
    sending.then(
      () => {
        // Over HTTP the answer was in the response, or it never arrives.
        if (this.#transport.kind === "http")
          pending?.reject(new DragomanError("mcp/unavailable", "the response ended without an answer"));
      },
      (error) => pending?.reject(error instanceof Error ? error : new Error(wordsOf(error))),
    );
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof ServerError)) this.#cancel(id, wordsOf(error));
      throw error;
    } finally {
      this.#pending.remove(id);
      cancelTimer();
      cancelHardTimer();
      unlisten();
      over.abort();
    }
  }

  /** Tells the server that the answer is no longer needed. Closing the response says the same in the modern era. */
  #cancel(requestId: number, reason: string): void {
    if (this.#transport.kind === "http" && this.cancelsByClosing) return;
    this.notify("notifications/cancelled", { requestId, reason }).catch(() => undefined);
  }

  #accept(value: unknown, request: string | number | undefined): void {
    const message = messageOf(value);
    switch (message?.kind) {
      case "result":
        this.#pending.get(message.message.id)?.resolve(message.message.result);
        return;
      case "failure": {
        const { id, error } = message.message;
        if (id !== null && id !== undefined) this.#pending.get(id)?.reject(new ServerError(error));
        else this.#events.onLine(`error ${error.code}: ${error.message}`);
        return;
      }
      case "request":
        this.#startAnswer(message.message.id, message.message.method, message.message.params ?? {}, request);
        return;
      case "notification":
        this.#acceptNotification(message.message.method, message.message.params ?? {});
        return;
      case undefined:
        this.#events.onLine(`not a JSON-RPC message: ${JSON.stringify(value).slice(0, 300)}`);
    }
  }

  #acceptNotification(method: string, params: JsonObject): void {
    if (method === "notifications/progress" && mcp.is("McpProgress", params)) {
      const pending = this.#pending.get(params.progressToken);
      pending?.renew();
      pending?.options.onProgress?.(params);
      return;
    }
    if (method === "notifications/cancelled") this.#asked.cancel(params["requestId"]);
    else this.#events.onNotification(method, params);
  }

  /** Answers a request of the server: a ping, or a question that belongs to one of ours. */
  #startAnswer(
    id: string | number,
    method: string,
    params: JsonObject,
    request: string | number | undefined,
  ): void {
    this.#asked.start(id, (cancelled) =>
      this.#answer(
        id,
        async () => (method === "ping" ? {} : this.#ask(method, params, request, cancelled)),
        cancelled,
      ),
    );
  }

  async #answer(id: string | number, work: () => Promise<object>, cancelled: AbortSignal): Promise<void> {
    let body: { result: JsonObject } | { error: JsonRpcError };
    try {
      body = { result: { ...(await work()) } };
    } catch (error) {
      body = {
        error:
          error instanceof ServerError
            ? error.error
            : { code: ERROR_CODES.internal, message: wordsOf(error) },
      };
    }
    if (cancelled.aborted) return;
    try {
      await this.#transport.send({ jsonrpc: "2.0", id, ...body });
    } catch (error) {
      this.#events.onLine(`an answer could not be sent: ${wordsOf(error)}`);
    }
  }

  async #ask(
    method: string,
    params: JsonObject,
    request: string | number | undefined,
    cancelled: AbortSignal,
  ): Promise<object> {
    const asked = await this.#askedBy(request, cancelled);
    const answer = asked?.options.onQuestion;
    if (asked === undefined || answer === undefined) {
      throw new ServerError({
        code: ERROR_CODES.noMethod,
        message: `the client does not support ${method} here`,
      });
    }
    const resume = asked.pause();
    const signal = AbortSignal.any([asked.over.signal, cancelled]);
    return answer(method, params, signal).finally(resume);
  }

  /** The request of ours that a question belongs to. Over HTTP its response contains the question. */
  async #askedBy(request: string | number | undefined, cancelled: AbortSignal): Promise<Pending | undefined> {
    const named = request === undefined ? undefined : this.#pending.get(request);
    if (named?.options.onQuestion !== undefined) return named;
    const able = this.#pending.all().filter(({ options }) => options.onQuestion !== undefined);
    const resumes = able.map((one) => one.pause());
    try {
      return await this.#owners.find(able, cancelled);
    } finally {
      for (const resume of resumes) resume();
    }
  }
}

function lateAfter(ms: number): DragomanError {
  return new DragomanError("mcp/timeout", `the server did not answer within ${ms / 1000} seconds`);
}
