import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request of the program, and what it was answered. */
export interface Exchange {
  method: string;
  path: string;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The answer's body. */
  text: string;
}

export interface Recorder {
  url: string;
  /** Sets the server behind it. */
  passOnTo(server: string): void;
  /** Keeps POST requests from now on. Fulfilled when the first has arrived. */
  hold(): Promise<void>;
  /** Passes on requests again, and those that were kept if the program still waits for their answers. */
  release(): void;
  /** What was exchanged with the server behind it. */
  exchanges: Exchange[];
  /** The other hosts that the program tried to reach, which is refused. */
  hosts: Set<string>;
  close(): Promise<void>;
}

/**
 * Stands between a program and the one server that it may reach: passes requests on, and records them. It is the program's
 * proxy too, so that calls of other hosts are seen; these are refused.
 */
export async function startRecorder(): Promise<Recorder> {
  let target = "";
  const exchanges: Exchange[] = [];
  const hosts = new Set<string>();
  const kept: (() => void)[] = [];
  let onKept: (() => void) | undefined;
  const ownHost = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const server = createServer((incoming, response) => {
    const { url = "" } = incoming;
    const { host, pathname, search } = new URL(url, `http://${ownHost()}`);
    if (host === ownHost()) {
      incoming.url = `${pathname}${search}`;
      const pass = () => forward(target, incoming, response, exchanges);
      if (onKept === undefined || incoming.method !== "POST") {
        pass();
        return;
      }
      kept.push(() => {
        if (!response.destroyed) pass();
      });
      onKept();
      return;
    }
    hosts.add(host);
    response.writeHead(403).end();
  });
  server.on("connect", ({ url = "" }, socket) => {
    socket.on("error", () => undefined);
    if (url === ownHost()) {
      // Some programs reach even this computer through their proxy.
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      server.emit("connection", socket);
      return;
    }
    hosts.add(url.replace(/:443$/, ""));
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const passOnTo = (server: string) => {
    target = server;
  };
  const hold = () =>
    new Promise<void>((resolve) => {
      onKept = resolve;
    });
  const release = () => {
    onKept = undefined;
    for (const pass of kept.splice(0)) pass();
  };
  return { url: `http://${ownHost()}`, passOnTo, hold, release, exchanges, hosts, close };
}

function forward(
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  exchanges: Exchange[],
): void {
  const { method = "GET", url: path = "/", headers } = incoming;
  const outgoing = request(new URL(path, target), { method, headers }, (answer) => {
    const { statusCode: status = 0, headers: answered } = answer;
    const exchange: Exchange = { method, path, status, headers: answered, text: "" };
    exchanges.push(exchange);
    response.writeHead(status, answered);
    answer.on("data", (chunk: Buffer) => {
      exchange.text += chunk.toString("latin1");
    });
    answer.pipe(response);
  });
  // A program that has its answer may hang up at any time.
  outgoing.on("error", () => response.destroy());
  response.on("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
}
