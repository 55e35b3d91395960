import type { IncomingHttpHeaders } from "node:http";
import type { ChannelName } from "../channels/registry.js";
import type { Traits, WebhookReply, WebhookRequest } from "../channels/types.js";
import type { ByteString } from "../framing/bytes.js";
import type { Result } from "../protocol/schema.js";
import type { Conversation } from "../runtime/conversation.js";
import type { LiveConfig } from "../runtime/live-config.js";
import type { Runtime } from "../runtime/runtime.js";
import type { Budget } from "../runtime/usage/budget.js";
import type { Rate } from "./auth/rate-limit.js";
import type { TokenStore } from "./auth/token-store.js";
import type { ClientPresence } from "./http/client-presence.js";
import type { Links } from "./links/links.js";

/** What a token permits: reading, chatting, or changing settings. Each scope includes the ones before it. */
export type Scope = "read" | "chat" | "admin";

/** What a token permits. */
export interface Permit {
  scope: Scope;
  /** The agents that it may use (default: all). */
  agents?: readonly string[];
  /** The id of the only session that it may read, over `/rpc` alone (default: not limited to one). */
  session?: string;
}

/** The sender of a request, as identified by its token. */
export interface Caller extends Permit {
  /** The id of the token, never the token itself. */
  token: string;
  address: string;
  /** The token's budget when the request or the socket was admitted (default: none). */
  budget?: Budget;
  /** The token's own rate limit (default: `Limits.requestsPerMinute`). */
  requestsPerMinute?: number;
  /** Another gateway of the same store, which has checked the permits of its own clients. */
  isGateway?: true;
}

/** Writes the gateway's log; tests pass their own. */
export interface Logger {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** What every protocol gets. */
export interface Gateway {
  runtime: Runtime;
  tokens: Pick<TokenStore, "list" | "create" | "revoke" | "limit">;
  config: LiveConfig;
  logger: Logger;
  metrics: Metrics;
  limits: Limits;
  /** Aborts when the server shuts down. */
  closing: AbortSignal;
  /** Set if chat platforms are configured. */
  channels?: ChannelDesk;
  /** Set if it shares its store with other gateways. */
  links?: Pick<Links, "waitForRun" | "holderOf">;
  now(): number;
}

/** The state of one account, without secrets or codes. */
export type ChannelStatus = Result<"channels.status">["channels"][number];

export type ChannelPeople = Result<"channels.people">;
export type ApprovedOnChannel = Result<"channels.approve">;

/** An account, by its platform and its name there. */
export interface AccountRef {
  channel: string;
  account: string;
}

/** The accounts on chat platforms, for protocols. */
export interface ChannelDesk {
  status(): Promise<readonly ChannelStatus[]>;
  /** Who may use the accounts, and who asks to. */
  people(): Promise<ChannelPeople>;
  /** Approves the person who got this code from one of these accounts; undefined if the code is unknown or expired. */
  approve(
    code: string,
    owner: boolean,
    among: (account: AccountRef) => boolean,
  ): Promise<ApprovedOnChannel | undefined>;
  /** False if no approved or waiting person of the account has this id. */
  revoke(account: AccountRef, id: string): Promise<boolean>;
  /** Whether the account exists. Checked before an unauthenticated request is read. */
  has(channel: string, account: string): boolean;
  /** Handles a platform's request; undefined if the account does not exist or accepts no webhooks. */
  webhook(channel: string, account: string, request: WebhookRequest): Promise<WebhookReply | undefined>;
  /** Whether this gateway is connected as the account. */
  isOpen(channel: string, account: string): boolean;
  /** Of any configured account, connected or not: a message's session must not depend on the connection. */
  reception(channel: string, account: string): Reception | undefined;
  /** The account that sends answers; undefined if this gateway is not connected to it. */
  answering(channel: string, account: string): AnsweringAccount | undefined;
  /** Fulfilled when everything received is stored and nothing is running. */
  close(): Promise<void>;
}

/** An account that can send the answers to a message that came from a client instead of the platform. */
export interface AnsweringAccount {
  reception: Reception;
  traits: Traits;
  /** Runs `ask`, which requests an answer. The answer is sent once, even if this process ends right afterwards. */
  deliver<T>(conversation: Conversation, ask: () => Promise<T>): Promise<T>;
}

/** An account on a platform, and the agent that answers there. */
export interface Reception {
  channel: ChannelName;
  account: string;
  agent?: string | undefined;
  /** People, with their ids on platforms: `ann: ["telegram:123"]`. */
  identities?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Numbers for `/metrics`. The first use of a name registers it. */
export interface Metrics {
  count(name: string, labels?: Readonly<Record<string, string>>, by?: number): void;
  gauge(name: string, value: () => number): void;
}

export interface Limits {
  bodyBytes: number;
  frameBytes: number;
  /** A client with more unread bytes is disconnected. */
  unreadBytes: number;
  connections: number;
  requestsPerMinute: number;
}

export interface HttpRequest {
  /** Sent in `X-Request-Id`. */
  id: string;
  method: string;
  url: URL;
  /** The named parts of the route's path. */
  params: Readonly<Record<string, string>>;
  headers: IncomingHttpHeaders;
  caller: Caller;
  /** Whether the client still waits for the answer. */
  client: Pick<ClientPresence, "signal" | "onLeave">;
  /** The parsed body; refused if it is too large or not JSON. */
  json(): Promise<unknown>;
}

/** A piece of a streamed body: text, or bytes. */
export type BodyPiece = string | Uint8Array | ByteString;

export interface HttpReply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** At most one of these. */
  json?: unknown;
  body?: string | Uint8Array;
  stream?: AsyncIterable<BodyPiece>;
}

/** Why a request is refused. Each protocol has its own error format. */
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

/** Thrown by a handler; sent in the protocol's error format. */
export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** A family of endpoints, with its token headers and error format. */
export interface HttpProtocol {
  /** Headers that may carry the token, in addition to `Authorization: Bearer`. */
  keyHeaders?: readonly string[];
  /**
   * `/v1/messages`: refusals there and below use this protocol's error format, even without a token and for paths without a
   * route, so that its clients understand them and they do not reveal which routes exist.
   */
  under?: readonly string[];
  refuse(refusal: Refusal, requestId: string): HttpReply;
  /** The rate limit in the headers of the API, if it has its own. */
  rateHeaders?(rate: Rate, now: number): Readonly<Record<string, string>>;
  routes: readonly HttpRoute[];
}

export interface HttpRoute {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `/v1/threads/:id/messages`; `:name` matches a part without a slash, `:name*` the rest. */
  path: string;
  scope: Scope;
  /** Whether it serves a path with these named parts (default: any). */
  accepts?(params: HttpRequest["params"]): boolean;
  handle(request: HttpRequest): Promise<HttpReply>;
}

/** An admitted client's WebSocket. It is closed if too much is unread. */
export interface ClientSocket {
  caller: Caller;
  /** Bytes must be UTF-8; the same ones can be sent to many clients. */
  send(text: string | Uint8Array): void;
  /** Fulfilled when everything sent has left, or the connection is closed. Wait for it when sending much. */
  drained(): Promise<void>;
  /** Counts one more request in the same message. False if it exceeds the rate limit. */
  charge(): boolean;
  close(code: number, reason: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

export interface SocketRoute {
  path: string;
  scope: Scope;
  /** Its protocol keeps tokens that are limited to a session to it; other routes refuse them. */
  servesShared?: true;
  open(socket: ClientSocket, request: Pick<HttpRequest, "id" | "url" | "params" | "headers">): void;
}

/** A client whose token arrives in a message. Until then it can send one message, and has a few seconds for it. */
export interface GuestSocket {
  /** Fulfilled with the first message; never if the client disconnects before. */
  readonly first: Promise<string>;
  send(text: string): void;
  close(code: number, reason: string): void;
  /** Admits the client by its token (default: the one in the request's headers), or throws a refusal. */
  admit(secret: string | undefined): Promise<ClientSocket>;
}

/** A route whose protocol has a log-in of its own. */
export interface GuestRoute {
  path: string;
  scope: Scope;
  welcome(guest: GuestSocket, request: Pick<HttpRequest, "id" | "url" | "params" | "headers">): Promise<void>;
}

/** Served without a token, such as a file of the web app. */
export interface PublicPage {
  path: string;
  reply(request: Pick<HttpRequest, "url" | "params" | "headers">): Promise<HttpReply>;
}

/** A path that another server may post to without our token; its request authenticates itself. */
export interface PublicHook {
  path: string;
  /** `body` is refused if it is too large. */
  answer(
    request: Pick<HttpRequest, "params" | "headers"> & { body(): Promise<Uint8Array> },
  ): Promise<HttpReply>;
}

/** What a protocol adds to the server. */
export interface Protocol {
  http?: HttpProtocol;
  sockets?: readonly SocketRoute[];
  guests?: readonly GuestRoute[];
  pages?: readonly PublicPage[];
  hooks?: readonly PublicHook[];
}
