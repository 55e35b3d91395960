import type { Gateway, Protocol } from "../types.js";
import { serve } from "./connection.js";
import { RpcFeeds } from "./feeds.js";
import { SessionFeed } from "./session-feed.js";

/** `WS /rpc`: JSON-RPC 2.0 requests and responses, and events of the sessions that a client subscribed to. */
export function rpc(gateway: Gateway): Protocol {
  const feeds = new RpcFeeds(gateway);
  const sessionFeed = new SessionFeed(gateway);
  return {
    sockets: [
      {
        path: "/rpc",
        scope: "read",
        servesShared: true,
        open: (socket, { id }) => serve(socket, gateway, feeds, sessionFeed, id),
      },
    ],
  };
}
