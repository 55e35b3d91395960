import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { type WebSocket, WebSocketServer } from "ws";
import { DragomanError } from "../../src/core/error.js";
import { parseJson } from "../../src/core/json/parse.js";
import {
  type Caller,
  type ClientSocket,
  type Gateway,
  type HttpReply,
  type Limits,
  type Protocol,
  type Refusal,
  RefusedError,
} from "../../src/gateway/types.js";
import type { Runtime } from "../../src/runtime/runtime.js";

const limits: Limits = {
  bodyBytes: 64 * 1024 * 1024,
  frameBytes: 1024 * 1024,
  unreadBytes: 16 * 1024 * 1024,
  connections: 1000,
  requestsPerMinute: 100_000,
};

const caller: Caller = { token: "test", scope: "admin", address: "127.0.0.1" };

export interface BareGateway {
  /** `http://127.0.0.1:12345` */
  url: string;
  /** What would have been told to a person. */
  notes: string[];
  close(): Promise<void>;
}

/** As little of a server as a protocol needs to be tested over a real socket: it lets everybody in. */
export async function startBareGateway(
  runtime: Runtime,
  makers: readonly ((gateway: Gateway) => Protocol)[],
  lower: Partial<Limits> = {},
): Promise<BareGateway> {
  const closing = new AbortController();
  const told: string[] = [];
  const note = (_: object, words: string) => told.push(words);
  const gateway: Gateway = {
    runtime,
    notes: { info: note, warn: note, error: note },
    metrics: { count: () => undefined, gauge: () => undefined },
    limits: { ...limits, ...lower },
    closing: closing.signal,
    now: Date.now,
  };
  const protocols = makers.map((make) => make(gateway));
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((request, response) => {
    void answer(protocols, request).then(({ status, headers, json }) => {
      response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
      response.end(json === undefined ? undefined : JSON.stringify(json));
    });
  });
  server.on("upgrade", (request, connection, head) => {
    const url = urlOf(request);
    const routes = protocols.flatMap((protocol) => protocol.sockets ?? []);
    const found = routes.flatMap((route) => {
      const params = match(route.path, url.pathname);
      return params === undefined ? [] : [{ route, params }];
    })[0];
    if (found === undefined) {
      connection.destroy();
      return;
    }
    sockets.handleUpgrade(request, connection, head, (ws) => {
      const { headers } = request;
      found.route.open(clientSocket(ws, gateway.limits), { id: "r", url, params: found.params, headers });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    notes: told,
    async close() {
      closing.abort();
      for (const ws of sockets.clients) ws.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(protocols: readonly Protocol[], request: IncomingMessage): Promise<HttpReply> {
  const url = urlOf(request);
  for (const { http } of protocols) {
    for (const route of http?.routes ?? []) {
      const params = match(route.path, url.pathname);
      if (http === undefined || params === undefined || route.method !== request.method) continue;
      try {
        return await route.handle({
          id: "r",
          method: route.method,
          url,
          params,
          headers: request.headers,
          caller,
          signal: new AbortController().signal,
          json: async () => parseJson(await text(request)),
        });
      } catch (error) {
        return http.refuse(refusalOf(error), "r");
      }
    }
  }
  return { status: 404, json: { error: "not_found", message: "nothing here" } };
}

/** What a protocol does not say itself fails the test that sees it. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  if (error instanceof DragomanError && error.code.startsWith("json/")) {
    return { status: 400, reason: "invalid_request", message: error.message };
  }
  return { status: 500, reason: "server_error", message: String(error) };
}

function urlOf({ url = "/", headers }: IncomingMessage): URL {
  return new URL(url, `http://${headers.host}`);
}

/** `/v1/threads/:id` and `/v1/threads/x` → `{ id: "x" }` */
function match(path: string, pathname: string): Record<string, string> | undefined {
  const [wanted, given] = [path.split("/"), pathname.split("/")];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const found = decodeURIComponent(given[index] ?? "");
    if (part.startsWith(":")) params[part.slice(1)] = found;
    else if (part !== found) return undefined;
  }
  return params;
}

function clientSocket(ws: WebSocket, { unreadBytes }: Limits): ClientSocket {
  let unsent = 0;
  let waiting: (() => void)[] = [];
  const sent = () => {
    unsent--;
    if (unsent > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    caller,
    send(data) {
      if (ws.readyState !== ws.OPEN) return;
      unsent++;
      ws.send(data, { binary: false }, sent);
      if (ws.bufferedAmount > unreadBytes) ws.terminate();
    },
    drained: () => (unsent === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    close: (code, reason) => ws.close(code, reason),
    onMessage: (listener) => ws.on("message", (data) => listener(data.toString())),
    onClose: (listener) => ws.on("close", listener),
  };
}
