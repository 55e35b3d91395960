import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { parseJson } from "../../src/core/json/parse.js";
import {
  type Gateway,
  type HttpProtocol,
  type HttpReply,
  type HttpRoute,
  type Protocol,
  RefusedError,
} from "../../src/gateway/types.js";
import type { Runtime } from "../../src/runtime/runtime.js";

export interface BareGateway {
  url: string;
  gateway: Gateway;
  /** What was sent, by path. */
  requests: string[];
  /** Tells the protocols that the server shuts down. */
  shutDown(): void;
  close(): Promise<void>;
}

/** The least that serves a protocol over HTTP: no tokens, no limits. */
export async function bareGateway(
  runtime: Runtime,
  protocolsOf: (gateway: Gateway) => readonly Protocol[],
  limits: Partial<Gateway["limits"]> = {},
): Promise<BareGateway> {
  const closing = new AbortController();
  const silent = () => undefined;
  const gateway: Gateway = {
    runtime,
    notes: { info: silent, warn: silent, error: silent },
    metrics: { count: silent, gauge: silent },
    limits: {
      bodyBytes: 1e7,
      frameBytes: 1e6,
      unreadBytes: 1e6,
      connections: 100,
      requestsPerMinute: 1e6,
      ...limits,
    },
    closing: closing.signal,
    now: Date.now,
  };
  const protocols = protocolsOf(gateway).flatMap(({ http }) => http ?? []);
  const requests: string[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    void serve(protocols, `req_${++count}`, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen");
  return {
    url: `http://127.0.0.1:${address.port}`,
    gateway,
    requests,
    shutDown: () => closing.abort(),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function serve(
  protocols: readonly HttpProtocol[],
  id: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(incoming.url ?? "/", "http://localhost");
  const found = find(protocols, incoming.method ?? "", url.pathname);
  if (found === undefined) {
    response.writeHead(404).end();
    return;
  }
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  let reply: HttpReply;
  try {
    reply = await found.route.handle({
      id,
      method: incoming.method ?? "",
      url,
      params: found.params,
      headers: incoming.headers,
      caller: { token: "test", scope: "admin", address: "127.0.0.1" },
      signal: gone.signal,
      json: async () => parseJson(await textOf(incoming)),
    });
  } catch (error) {
    const refusal =
      error instanceof RefusedError
        ? error.refusal
        : { status: 500, reason: "server_error" as const, message: "the gateway failed" };
    reply = found.protocol.refuse(refusal, id);
  }
  await send(reply, id, response);
}

async function send(reply: HttpReply, id: string, response: ServerResponse): Promise<void> {
  const json = reply.json === undefined ? {} : { "content-type": "application/json" };
  response.writeHead(reply.status, { "x-request-id": id, ...json, ...reply.headers });
  if (reply.stream !== undefined) {
    for await (const piece of reply.stream) {
      if (response.destroyed) break;
      if (!response.write(piece)) {
        await new Promise((resolve) => {
          response.once("drain", resolve);
          response.once("close", resolve);
        });
      }
    }
  }
  response.end(reply.json === undefined ? reply.body : JSON.stringify(reply.json));
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

interface Found {
  protocol: HttpProtocol;
  route: HttpRoute;
  params: Record<string, string>;
}

function find(protocols: readonly HttpProtocol[], method: string, pathname: string): Found | undefined {
  for (const protocol of protocols) {
    for (const route of protocol.routes) {
      const params = route.method === method ? match(route.path, pathname) : undefined;
      if (params !== undefined) return { protocol, route, params };
    }
  }
  return undefined;
}

/** `/v1/models/:id*` */
function match(path: string, pathname: string): Record<string, string> | undefined {
  const pattern = path.replace(/:(\w+)(\*?)/g, (_, name: string, rest: string) =>
    rest === "" ? `(?<${name}>[^/]+)` : `(?<${name}>.+)`,
  );
  const groups = new RegExp(`^${pattern}$`).exec(pathname);
  if (groups === null) return undefined;
  return Object.fromEntries(
    Object.entries(groups.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
  );
}
