import { backoff } from "../../core/async/backoff.js";
import { type Clock, sleep, systemClock } from "../../core/async/clock.js";
import { onAbort } from "../../core/async/on-abort.js";
import { DragomanError, wordsOf } from "../../core/error.js";
import { jsonIn } from "../../core/json/parse.js";
import { isObject } from "../../core/json/value.js";
import { readSse } from "../../framing/sse.js";
import { MAX_MESSAGE_BYTES } from "../../tools/message-process.js";
import { type JsonRpcMessage, messageOf } from "../checks.js";
import { encodeHeaderValue } from "../header-value.js";
import { eraOf, HEADERS, META, NAMED_BY } from "../protocol.js";
import type { SendOptions, Transport, TransportEvents } from "./transport.js";

/** What is used of a `Response`. */
export interface HttpResponse {
  status: number;
  headers: { get(name: string): string | null };
  body: {
    getReader(): { read(): Promise<IteratorResult<Uint8Array, unknown>>; cancel(): Promise<void> };
  } | null;
}

export type HttpFetch = (
  url: string,
  init: {
    method: "GET" | "POST" | "DELETE";
    headers: Record<string, string>;
    body?: string;
    signal?: AbortSignal;
    redirect: "manual";
  },
) => Promise<HttpResponse>;

/** Obtains access to a server, such as with OAuth. */
export interface HttpAuth {
  /** The value of the `Authorization` header; undefined for none. */
  authorization(): Promise<string | undefined>;
  /** Called when the server answers 401 or 403. True if the request should be sent again. */
  refused(refusal: { status: number; challenge: string | null }): Promise<boolean>;
}

export interface HttpTransportOptions {
  url: string;
  headers: Readonly<Record<string, string>>;
  fetch: HttpFetch;
  /** Used only if `headers` has no `Authorization`. */
  auth?: HttpAuth;
  clock?: Clock;
}

/** A failure that ends the session: the server no longer knows it. */
export class SessionExpired extends DragomanError {
  constructor() {
    super("mcp/unavailable", "the server no longer knows the session");
  }
}

const MAX_RESUMES = 5;
const MAX_AUTHORIZATIONS = 2;
const DEFAULT_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
const SHOWN_BODY = 300;

/** Where a stream can be resumed. */
interface StreamEnd {
  answered: boolean;
  lastId: string;
  retryMs: number;
}

/** A server at a URL: each message is a POST request; answers are JSON or a stream of events. */
export class HttpTransport implements Transport {
  readonly kind = "http";
  readonly #options: HttpTransportOptions;
  readonly #events: TransportEvents;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  #session: string | undefined;
  /** The negotiated version, in the legacy era. */
  #version: string | undefined;

  constructor(options: HttpTransportOptions, events: TransportEvents) {
    this.#options = options;
    this.#events = events;
    this.#clock = options.clock ?? systemClock;
  }

  async send(message: JsonRpcMessage, { signal, headers = {} }: SendOptions = {}): Promise<void> {
    const ending = new AbortController();
    const end = () => ending.abort();
    const unlisten = [onAbort(signal, end), onAbort(this.#closing.signal, end)];
    try {
      await this.#post(message, headers, ending.signal);
    } finally {
      for (const stop of unlisten) stop();
    }
  }

  begin(version: string): void {
    if (eraOf(version) === "modern") return;
    this.#version = version;
    void this.#listen();
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    if (this.#session === undefined) return;
    const late = new AbortController();
    const cancel = this.#clock.after(DEFAULT_RETRY_MS, () => late.abort());
    try {
      const response = await this.#request("DELETE", await this.#headers({}), undefined, late.signal);
      await response.body?.getReader().cancel();
    } catch {
      // The server forgets the session by itself.
    } finally {
      cancel();
    }
  }

  async #post(message: JsonRpcMessage, more: Readonly<Record<string, string>>, signal: AbortSignal) {
    const response = await this.#admitted(() => this.#postOnce(message, more, signal));
    const id = "id" in message && "method" in message ? message.id : undefined;
    if (response.status < 200 || response.status > 299) {
      await this.#refuse(response, id);
      return;
    }
    const isHandshake = "method" in message && message.method === "initialize";
    if (isHandshake) this.#session = response.headers.get(HEADERS.session) ?? undefined;
    const type = mediaType(response);
    if (id === undefined || response.status === 202) await response.body?.getReader().cancel();
    else if (type === "application/json") this.#acceptBody(await bodyText(response, MAX_MESSAGE_BYTES), id);
    else if (type === "text/event-stream") await this.#readAnswer(response, id, signal);
    else
      throw badAnswer(`its answer has the type ${JSON.stringify(type)}; expected JSON or a stream of events`);
  }

  async #postOnce(message: JsonRpcMessage, more: Readonly<Record<string, string>>, signal: AbortSignal) {
    const headers = await this.#headers({
      ...more,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...bodyHeaders(message),
    });
    return this.#request("POST", headers, JSON.stringify(message), signal);
  }

  /** Sends a request again after `auth` has obtained access. */
  async #admitted(request: () => Promise<HttpResponse>): Promise<HttpResponse> {
    for (let attempt = 0; ; attempt++) {
      const response = await request();
      const { status } = response;
      if (status !== 401 && status !== 403) return response;
      const challenge = response.headers.get("www-authenticate");
      const auth = this.#hasOwnAuthorization ? undefined : this.#options.auth;
      const isAgain =
        auth !== undefined && attempt < MAX_AUTHORIZATIONS && (await auth.refused({ status, challenge }));
      if (!isAgain) return response;
      await response.body?.getReader().cancel();
    }
  }

  get #hasOwnAuthorization(): boolean {
    return Object.keys(this.#options.headers).some((name) => name.toLowerCase() === "authorization");
  }

  async #headers(own: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const { headers, auth } = this.#options;
    const authorization = this.#hasOwnAuthorization ? undefined : await auth?.authorization();
    const configured = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    return {
      ...Object.fromEntries(configured),
      ...(authorization === undefined ? {} : { authorization }),
      ...(this.#session === undefined ? {} : { [HEADERS.session]: this.#session }),
      ...(this.#version === undefined ? {} : { [HEADERS.version]: this.#version }),
      ...own,
    };
  }

  async #request(
    method: "GET" | "POST" | "DELETE",
    headers: Record<string, string>,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const { url, fetch } = this.#options;
    try {
      return await fetch(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal,
        redirect: "manual",
      });
    } catch (error) {
      throw new DragomanError("mcp/unavailable", `the server cannot be reached: ${wordsOf(error)}`, {
        cause: error,
      });
    }
  }

  /** Passes on an answer that has an error status, or throws why there is none. */
  async #refuse(response: HttpResponse, id: string | number | undefined): Promise<void> {
    const { status } = response;
    const text = await bodyText(response, MAX_MESSAGE_BYTES);
    if (status === 404 && this.#session !== undefined) throw new SessionExpired();
    const message = messageOf(jsonIn(text));
    if (message?.kind === "failure" && id !== undefined && message.message.id === id) {
      this.#events.onMessage(message.message, id);
      return;
    }
    throw refusal(response, text, message?.kind === "failure" ? message.message.error.message : undefined);
  }

  #acceptBody(text: string, id: string | number): void {
    const value = jsonIn(text);
    if (value === undefined) throw badAnswer("its answer is not JSON");
    for (const message of Array.isArray(value) ? value : [value]) this.#events.onMessage(message, id);
  }

  /** Reads the stream with the answer. A legacy server may end it early, to be resumed at the last event. */
  async #readAnswer(first: HttpResponse, id: string | number, signal: AbortSignal): Promise<void> {
    let end = await this.#readStream(first, id);
    for (let attempt = 0; !end.answered; attempt++) {
      const isResumable = this.#version !== undefined || this.#session !== undefined;
      if (end.lastId === "" || !isResumable || attempt === MAX_RESUMES) return;
      await sleep(this.#clock, end.retryMs, signal);
      const response = await this.#openStream(end.lastId, signal);
      if (response === undefined) return;
      end = await this.#readStream(response, id, end);
    }
  }

  async #readStream(
    response: HttpResponse,
    id: string | number | undefined,
    before?: StreamEnd,
  ): Promise<StreamEnd> {
    const end: StreamEnd = { answered: false, lastId: "", retryMs: DEFAULT_RETRY_MS, ...before };
    for await (const event of readSse(chunksOf(response), { maxEventLength: MAX_MESSAGE_BYTES })) {
      if (event.id !== "") end.lastId = event.id;
      if (event.retry !== undefined) end.retryMs = Math.min(event.retry, MAX_RETRY_MS);
      if (event.data === "" || event.event !== "message") continue;
      const value = jsonIn(event.data);
      if (value === undefined) {
        this.#events.onLine(`not a message: ${event.data.slice(0, SHOWN_BODY)}`);
        continue;
      }
      this.#events.onMessage(value, id);
      if (id !== undefined && isObject(value) && value["id"] === id && !("method" in value)) {
        end.answered = true;
        return end;
      }
    }
    return end;
  }

  /** The stream of messages that belong to no request. A server without one answers 405. */
  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    let end: StreamEnd | undefined;
    for (let failures = 0; !signal.aborted; ) {
      try {
        const response = await this.#openStream(end?.lastId ?? "", signal);
        if (response === undefined) return;
        failures = 0;
        end = await this.#readStream(response, undefined, end);
        await sleep(this.#clock, end.retryMs, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#events.onLine(`the stream of notifications broke: ${wordsOf(error)}`);
        try {
          await sleep(this.#clock, backoff(failures++, { firstMs: 1000, longestMs: 60_000 }), signal);
        } catch {
          return;
        }
      }
    }
  }

  async #openStream(lastId: string, signal: AbortSignal): Promise<HttpResponse | undefined> {
    const response = await this.#admitted(async () => {
      const resume: Record<string, string> = lastId === "" ? {} : { "last-event-id": lastId };
      return this.#request(
        "GET",
        await this.#headers({ accept: "text/event-stream", ...resume }),
        undefined,
        signal,
      );
    });
    if (response.status === 200 && mediaType(response) === "text/event-stream") return response;
    await response.body?.getReader().cancel();
    if (response.status < 500) return undefined;
    throw refusal(response, "");
  }
}

/** `Mcp-Method` and others repeat the body of a modern request, so that proxies need not read it. */
function bodyHeaders(message: JsonRpcMessage): Record<string, string> {
  if (!("method" in message)) return {};
  const { method, params = {} } = message;
  const meta = params["_meta"];
  const version = isObject(meta) ? meta[META.version] : undefined;
  if (typeof version !== "string") return {};
  const field = NAMED_BY[method];
  const name = field === undefined ? undefined : params[field];
  return {
    [HEADERS.version]: version,
    [HEADERS.method]: method,
    ...(typeof name === "string" ? { [HEADERS.name]: encodeHeaderValue(name) } : {}),
  };
}

function mediaType({ headers }: HttpResponse): string {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase();
}

async function* chunksOf({ body }: HttpResponse): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) yield next.value;
  } finally {
    // Frees the connection of a server that keeps the stream open.
    await reader?.cancel().catch(() => undefined);
  }
}

/** The text of a response, which must not be larger than the limit. */
export async function bodyText(response: HttpResponse, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of chunksOf(response)) {
    size += chunk.length;
    if (size > maxBytes) throw badAnswer(`its answer is larger than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function badAnswer(why: string): DragomanError {
  return new DragomanError("mcp/bad-message", why);
}

function refusal(response: HttpResponse, text: string, message?: string): DragomanError {
  const { status } = response;
  const words = message ?? text.slice(0, SHOWN_BODY).trim();
  const why = words === "" ? "" : `: ${words}`;
  if (status === 401 || status === 403) {
    return new DragomanError("mcp/unauthorized", `the server refused access (HTTP ${status})${why}`, {
      details: { status },
      hint: "check the Authorization header under `headers`, or run `dragoman mcp login`",
    });
  }
  if (status >= 300 && status < 400) {
    const target = response.headers.get("location") ?? "another URL";
    return new DragomanError(
      "mcp/unavailable",
      `the server redirects to ${target}; redirects are not followed`,
      {
        details: { status },
        hint: "write that URL into the configuration",
      },
    );
  }
  return new DragomanError("mcp/unavailable", `the server answered HTTP ${status}${why}`, {
    details: { status },
  });
}
