import { createConnection, createServer } from "node:net";
import { onTestFinished } from "vitest";

export interface TcpProxy {
  /** `127.0.0.1:40123` */
  host: string;
  /** From now on, those who connect are led there; nowhere if undefined. */
  leadTo(host: string | undefined): void;
  /** Ends every connection without a word. */
  cut(): void;
}

/** A port that leads somewhere else, byte for byte. */
export async function tcpProxy(): Promise<TcpProxy> {
  let leadsTo: string | undefined;
  const cuts = new Set<() => void>();
  const server = createServer((client) => {
    client.on("error", () => undefined);
    if (leadsTo === undefined) {
      client.destroy();
      return;
    }
    const [address, port] = leadsTo.split(":");
    const upstream = createConnection(Number(port), address);
    const end = () => {
      cuts.delete(end);
      client.destroy();
      upstream.destroy();
    };
    cuts.add(end);
    for (const side of [client, upstream]) side.on("error", end).on("close", end);
    client.pipe(upstream).pipe(client);
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
    leadTo(host) {
      leadsTo = host;
    },
  };
}
