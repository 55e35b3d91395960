import { tcpProxy } from "../../fakes/tcp-proxy.js";

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
  const { host } = new URL(url);
  let isSwallowing = false;
  const proxy = await tcpProxy(host, (server, client) => {
    server.on("data", (bytes) => {
      if (!isSwallowing) client.write(bytes);
    });
  });
  const cut = () => {
    isSwallowing = false;
    proxy.cut();
  };
  const through = new URL(url);
  through.host = proxy.host;
  return {
    url: through.href,
    swallowAnswers: () => {
      isSwallowing = true;
    },
    cut,
    part: () => {
      proxy.leadTo(undefined);
      cut();
    },
    restore: () => proxy.leadTo(host),
    opened: proxy.opened,
  };
}
