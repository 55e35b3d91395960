import type { MethodName, Params, Result } from "../../protocol/schema.js";
import type { Caller, Gateway } from "../types.js";
import type { ClientServers } from "./client-servers.js";
import type { ClientTails } from "./client-tails.js";
import type { RpcFeeds } from "./feeds.js";
import type { SessionFeed } from "./session-feed.js";
import type { Subscriptions } from "./subscriptions.js";

/** What a method gets besides its parameters. */
export interface Context {
  gateway: Gateway;
  feeds: RpcFeeds;
  sessionFeed: SessionFeed;
  /** The client, and what its token permits. */
  permit: Caller;
  subscriptions: Subscriptions;
  /** The MCP servers that the client has given to sessions. */
  servers: ClientServers;
  /** The sessions of other programs that the client follows. */
  tails: ClientTails;
  /** Sends the client an event whenever a session changes. */
  subscribeToSessions(): void;
  /** Aborts when the client disconnects or the server shuts down. */
  signal: AbortSignal;
  /** Runs work right after the reply was sent. */
  afterReply(work: () => void): void;
}

export type Method<M extends MethodName> = (params: Params<M>, context: Context) => Promise<Result<M>>;

/** The methods with this name or prefix. */
export type Methods<P extends string> = {
  readonly [M in Extract<MethodName, P | `${P}.${string}`>]: Method<M>;
};
