import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DragomanClient } from "dragoman/client";
import { WebSocket } from "ws";
import type { ServerProcess } from "./server-process.js";

/** Connects with the client of the gateway's own version: versions do not share a protocol. */
export async function connectTo({ url, token }: ServerProcess, root: string): Promise<DragomanClient> {
  const path = pathToFileURL(join(root, "dist/client/index.js")).href;
  const { connectDragoman }: typeof import("dragoman/client") = await import(path);
  return connectDragoman({ url: `${url.replace("http", "ws")}/rpc`, token, WebSocket });
}
