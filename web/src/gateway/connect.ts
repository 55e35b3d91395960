import { connectDragoman, type DragomanClient } from "dragoman/client";

/** Connects to the gateway that served this page. */
export function connect(token: string): Promise<DragomanClient> {
  const url = new URL("/rpc", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return connectDragoman({ url: url.href, token });
}
