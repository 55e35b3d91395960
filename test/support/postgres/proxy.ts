import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A network between a store and its server that can fail. */
export interface FailingNetwork {
  /** The server's address through the proxy. */
  url: string;
  /** From now on, what the server answers is lost. */
  swallowAnswers(): void;
  /** Ends all connections. New ones work. */
  cut(): void;
  /** Ends all connections and accepts no new ones, until `restore`. */
  part(): void;
  restore(): void;
  /** How many connections were opened. */
  opened(): number;
}

/** @param url the address of the server, with one host */
export async function startProxy(url: string): Promise<FailingNetwork> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isSwallowing = false;
  let isParted = false;
  let opened = 0;
  const server = createServer((client) => {
    if (isParted) {
      client.destroy();
      return;
    }
    opened++;
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("data", (bytes) => upstream.write(bytes));
    upstream.on("data", (bytes) => {
      if (!isSwallowing) client.write(bytes);
    });
    client.on("close", () => upstream.end());
    upstream.on("close", () => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    isSwallowing = false;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const through = new URL(url);
  through.port = String(address.port);
  return {
    url: through.href,
    swallowAnswers: () => {
      isSwallowing = true;
    },
    cut,
    part: () => {
      isParted = true;
      cut();
    },
    restore: () => {
      isParted = false;
    },
    opened: () => opened,
  };
}
