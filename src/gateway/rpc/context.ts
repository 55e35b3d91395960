import type { MethodName, Params, Result } from "../../protocol/schema.js";
import type { Gateway, Permit } from "../types.js";
import type { RpcFeeds } from "./feeds.js";
import type { SessionFeed } from "./session-feed.js";
import type { Subscriptions } from "./subscriptions.js";

/** What a method works with. */
export interface Context {
  gateway: Gateway;
  feeds: RpcFeeds;
  sessionFeed: SessionFeed;
  /** What the client's token allows. */
  permit: Permit;
  subscriptions: Subscriptions;
  /** From here on the client is told when sessions change. */
  subscribeToSessions(): void;
  /** Aborts when the client has gone or the server goes. */
  signal: AbortSignal;
  /** Does something right after the answer was sent. */
  afterReply(work: () => void): void;
}

export type Method<M extends MethodName> = (params: Params<M>, context: Context) => Promise<Result<M>>;

/** The methods whose names begin so. */
export type Methods<P extends string> = {
  readonly [M in Extract<MethodName, P | `${P}.${string}`>]: Method<M>;
};
