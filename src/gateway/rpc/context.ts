import type { MethodName, Params, Result } from "../../client/schema/index.js";
import type { Gateway, Scope } from "../types.js";
import type { Feeds } from "./feeds.js";
import type { Subscriptions } from "./subscriptions.js";

/** What a method works with. */
export interface Context {
  gateway: Gateway;
  feeds: Feeds;
  scope: Scope;
  subscriptions: Subscriptions;
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
