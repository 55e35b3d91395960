import type { IncomingHttpHeaders } from "node:http";
import type { ChannelName } from "../channels/registry.js";
import type { Traits, WebhookReply, WebhookRequest } from "../channels/types.js";
import type { Result } from "../protocol/schema.js";
import type { Conversation } from "../runtime/conversation.js";
import type { Runtime } from "../runtime/runtime.js";

/** What a token lets its holder do: look, talk, or change things. Each includes the ones before it. */
export type Scope = "read" | "chat" | "admin";

/** What a token allows. */
export interface Permit {
  scope: Scope;
  /** The agents that it may use (default: all). */
  agents?: readonly string[];
}

/** The sender of a request, as far as the token says. */
export interface Caller extends Permit {
  /** The id of the token, never the token itself. */
  token: string;
  address: string;
}

/** Writes the gateway's log; tests pass their own. */
export interface Logger {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** What every protocol is given. */
export interface Gateway {
  runtime: Runtime;
  logger: Logger;
  metrics: Metrics;
  limits: Limits;
  /** Aborts when the server shuts down: finish or park what you do, and tell your clients. */
  closing: AbortSignal;
  /** Chat platforms, where some are configured. */
  channels?: ChannelDesk;
  now(): number;
}

/** How one account is doing. It holds no secret and no code. */
export type ChannelStatus = Result<"channels.status">["channels"][number];

/** The accounts on chat platforms, as far as the protocols need to know. */
export interface ChannelDesk {
  status(): Promise<readonly ChannelStatus[]>;
  /** Whether there is such an account: asked before a stranger's request is read. */
  has(channel: string, account: string): boolean;
  /** A request of a platform; undefined when there is no such account, or it takes none. */
  webhook(channel: string, account: string, request: WebhookRequest): Promise<WebhookReply | undefined>;
  /** Of an account of the configuration, whether or not it is connected: which session a message belongs to must not change. */
  reception(channel: string, account: string): Reception | undefined;
  /** The account that answers are sent through; undefined when this gateway is not connected to it. */
  answering(channel: string, account: string): AnsweringAccount | undefined;
  /** Fulfilled when everything that came in is stored, and nothing is under way any more. */
  close(): Promise<void>;
}

/** An account through which the answers to a message can be sent, though a client and not the platform delivered the message. */
export interface AnsweringAccount {
  reception: Reception;
  traits: Traits;
  /** Does something that asks for an answer; the answer is sent once, also if this process ends right afterwards. */
  deliver<T>(conversation: Conversation, ask: () => Promise<T>): Promise<T>;
}

/** Which account of which platform, and the agent that answers there. */
export interface Reception {
  channel: ChannelName;
  account: string;
  agent?: string | undefined;
  /** People by names of our own, and who they are on platforms: `ann: ["telegram:123"]`. */
  identities?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Numbers for `/metrics`; a name is registered by its first use. */
export interface Metrics {
  count(name: string, labels?: Readonly<Record<string, string>>, by?: number): void;
  gauge(name: string, value: () => number): void;
}

export interface Limits {
  bodyBytes: number;
  frameBytes: number;
  /** What a client may leave unread before it is dropped. */
  unreadBytes: number;
  connections: number;
  requestsPerMinute: number;
}

export interface HttpRequest {
  /** Told in `X-Request-Id`. */
  id: string;
  method: string;
  url: URL;
  /** The named parts of the route's path. */
  params: Readonly<Record<string, string>>;
  headers: IncomingHttpHeaders;
  caller: Caller;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
  /** The body, parsed; refused when it is too large or no JSON. */
  json(): Promise<unknown>;
}

export interface HttpReply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** One of these, or none. */
  json?: unknown;
  body?: string | Uint8Array;
  stream?: AsyncIterable<string | Uint8Array>;
}

/** Why a request is not served. Each protocol has words of its own for it. */
export interface Refusal {
  status: number;
  reason:
    | "invalid_request"
    | "unauthorized"
    | "forbidden"
    | "not_found"
    | "conflict"
    | "too_large"
    | "rate_limited"
    | "server_error"
    | "service_unavailable";
  message: string;
  details?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Thrown by a handler; becomes the protocol's own form of an error. */
export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** One family of endpoints: how it reads a token and words an error. */
export interface HttpProtocol {
  /** Headers that may carry the token beside `Authorization: Bearer`. */
  keyHeaders?: readonly string[];
  /**
   * `/v1/messages`: whatever is refused there or below is refused in its words, also to a stranger, and also where nothing is,
   * so that clients understand it and nobody learns from it what there is.
   */
  under?: readonly string[];
  refuse(refusal: Refusal, requestId: string): HttpReply;
  routes: readonly HttpRoute[];
}

export interface HttpRoute {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `/v1/threads/:id/messages`; `:name` stands for a part without a slash, `:name*` for the rest. */
  path: string;
  scope: Scope;
  /** Whether it serves a path with these named parts (default: any). */
  accepts?(params: HttpRequest["params"]): boolean;
  handle(request: HttpRequest): Promise<HttpReply>;
}

/** A WebSocket of a client that was let in. What it leaves unread is bounded; then it is dropped. */
export interface ClientSocket {
  caller: Caller;
  /** Bytes of UTF-8 text made once can be sent to many. */
  send(text: string | Uint8Array): void;
  /** Fulfilled when nothing that was sent waits any more, or the connection is closed. Whoever sends much waits for it. */
  drained(): Promise<void>;
  /** Counts one more request that came in the same message. False when that was one too many. */
  charge(): boolean;
  close(code: number, reason: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

export interface SocketRoute {
  path: string;
  scope: Scope;
  open(socket: ClientSocket, request: Pick<HttpRequest, "id" | "url" | "params" | "headers">): void;
}

/** Something anybody may fetch without a token, such as a file of the web app. */
export interface PublicPage {
  path: string;
  reply(request: Pick<HttpRequest, "url" | "params" | "headers">): Promise<HttpReply>;
}

/** Where another server may post without a token of ours; what it sends proves by itself who it is. */
export interface PublicHook {
  path: string;
  /** `body` is refused when it is too large. */
  answer(
    request: Pick<HttpRequest, "params" | "headers"> & { body(): Promise<Uint8Array> },
  ): Promise<HttpReply>;
}

/** What a protocol brings to the server. */
export interface Protocol {
  http?: HttpProtocol;
  sockets?: readonly SocketRoute[];
  pages?: readonly PublicPage[];
  hooks?: readonly PublicHook[];
}
