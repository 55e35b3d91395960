import { createConnection, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface TcpProxy {
  /** `127.0.0.1:40123` */
  host: string;
  /** From now on, new connections lead there; they are refused if undefined. */
  leadTo(host: string | undefined): void;
  /** Ends every connection without a word. */
  cut(): void;
  /** How many connections were accepted. */
  opened(): number;
}

/** Passes on what the server answers; `end` ends the connection. */
export type PassAnswers = (server: Socket, client: Socket, end: () => void) => void;

const passAll: PassAnswers = (server, client) => void server.pipe(client);

/** A port that leads to another one, byte for byte unless `pass` does otherwise. */
export async function tcpProxy(target?: string, pass: PassAnswers = passAll): Promise<TcpProxy> {
  let leadsTo = target;
  let opened = 0;
  const cuts = new Set<() => void>();
  const server = createServer((client) => {
    client.on("error", () => undefined);
    if (leadsTo === undefined) {
      client.destroy();
      return;
    }
    opened++;
    const [address, port] = leadsTo.split(":");
    const upstream = createConnection(Number(port), address);
    const end = () => {
      cuts.delete(end);
      client.destroy();
      upstream.destroy();
    };
    cuts.add(end);
    for (const side of [client, upstream]) side.on("error", end).on("close", end);
    client.pipe(upstream);
    pass(upstream, client, end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const end of [...cuts]) end();
  };
  onTestFinished(async () => {
    cut();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = Object(server.address());
  return {
    host: `127.0.0.1:${port}`,
    cut,
    opened: () => opened,
    leadTo(host) {
      leadsTo = host;
    },
  };
}
