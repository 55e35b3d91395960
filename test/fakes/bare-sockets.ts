import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import type { ClientSocket, Gateway, Protocol, Scope } from "../../src/gateway/types.js";
import type { Runtime } from "../../src/runtime/runtime.js";

export interface BareSockets {
  url: string;
  gateway: Gateway;
  /** What the protocol wanted its owner to know. */
  notes: string[];
  /** Cuts every connection without a word. */
  drop(): void;
  close(): Promise<void>;
}

export interface BareOptions {
  limits?: Partial<Gateway["limits"]>;
  port?: number;
  /** Called for every frame that is about to be sent; false cuts the connection instead. */
  mayPass?: (frame: string) => boolean;
}

const scopes: readonly Scope[] = ["read", "chat", "admin"];

/** The least that serves a protocol over WebSockets. The token is the scope: `bearer.chat` may chat. */
export async function bareSockets(
  runtime: Runtime,
  protocolOf: (gateway: Gateway) => Protocol,
  { limits = {}, port = 0, mayPass = () => true }: BareOptions = {},
): Promise<BareSockets> {
  const notes: string[] = [];
  const closing = new AbortController();
  const note = (fields: object, text: string) =>
    notes.push(`${text}: ${"error" in fields ? String(fields.error) : ""}`);
  const gateway: Gateway = {
    runtime,
    notes: { info: note, warn: note, error: note },
    metrics: { count: () => undefined, gauge: () => undefined },
    limits: {
      bodyBytes: 1e7,
      frameBytes: 1e7,
      unreadBytes: 1e7,
      connections: 100,
      requestsPerMinute: 1e6,
      ...limits,
    },
    closing: closing.signal,
    now: () => 1_740_000_000_000,
  };
  const { sockets = [] } = protocolOf(gateway);
  const server = createServer();
  const open = new WebSocketServer({
    server,
    handleProtocols: (offered) => (offered.has("dragoman.v1") ? "dragoman.v1" : false),
  });
  let count = 0;
  open.on("connection", (socket, request) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const route = sockets.find(({ path }) => path === url.pathname);
    const token = /bearer\.(\w+)/.exec(String(request.headers["sec-websocket-protocol"]))?.[1];
    const scope = scopes.find((one) => one === token);
    if (route === undefined || scope === undefined) return socket.close(1008, "refused");
    const id = `req_${++count}`;
    return route.open(clientSocket(socket, scope, mayPass), {
      id,
      url,
      params: {},
      headers: request.headers,
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  const drop = () => {
    for (const socket of open.clients) socket.terminate();
  };
  return {
    url: `ws://127.0.0.1:${address.port}/rpc`,
    gateway,
    notes,
    drop,
    async close() {
      closing.abort();
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function clientSocket(
  socket: WebSocket,
  scope: Scope,
  mayPass: NonNullable<BareOptions["mayPass"]>,
): ClientSocket {
  return {
    caller: { token: "test", scope, address: "127.0.0.1" },
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      if (mayPass(typeof text === "string" ? text : Buffer.from(text).toString())) {
        socket.send(text, { binary: false });
      } else {
        socket.terminate();
      }
    },
    drained: async () => undefined,
    close: (code, reason) => socket.close(code, reason),
    onMessage: (listener) => void socket.on("message", (data) => listener(String(data))),
    onClose: (listener) => void socket.on("close", listener),
  };
}
