import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setImmediate, setTimeout } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import { stampedAnew } from "../support/stamp.js";
import { listening } from "./listening.js";

/**
 * The smallest broadcast server: `GET /start?pause=50` sends the frames of a file, one every 50 ms, to every connected client.
 * Clients with the same path are a group.
 */
const frames: string[] = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const groups = new Map<string, Set<WebSocket>>();

async function broadcast(sockets: ReadonlySet<WebSocket>, pause: number): Promise<void> {
  for (const frame of frames) {
    const isWord = frame.includes("text_delta");
    const bytes = Buffer.from(isWord ? stampedAnew(frame) : frame);
    for (const socket of sockets) socket.send(bytes, { binary: false });
    if (isWord) await (pause === 0 ? setImmediate() : setTimeout(pause));
  }
}

const server = createServer((request, response) => {
  const pause = Number(new URL(request.url ?? "/", "http://127.0.0.1").searchParams.get("pause"));
  for (const sockets of groups.values()) void broadcast(sockets, pause);
  response.end();
});
new WebSocketServer({ server }).on("connection", (socket, { url = "/" }) => {
  const group = groups.get(url) ?? new Set();
  groups.set(url, group.add(socket));
  // As the gateway confirms a subscription.
  socket.on("message", () => socket.send("{}"));
});
listening(server);
