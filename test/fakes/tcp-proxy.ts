import { createConnection, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface TcpProxy {
  /** `127.0.0.1:40123` */
  host: string;
  /** From now on, new connections lead there; they are refused if undefined. */
  leadTo(host: string | undefined): void;
  /** Ends every connection without a word. */
  cut(): void;
  /** From now on, nothing passes in either direction, until `release` delivers it late. */
  hold(): void;
  release(): void;
  /** From now on, everything arrives this much later. */
  delay(ms: number): void;
  /** How many connections were accepted. */
  opened(): number;
}

/** Passes on what the server answers; `end` ends the connection. */
export type PassAnswers = (server: Socket, client: Socket, end: () => void) => void;

/** What is on its way, in order. It arrives even if its sender has closed the connection meanwhile. */
class Wire {
  readonly #queue: { due: number; deliver: () => void }[] = [];
  #isHeld = false;
  #delayMs = 0;

  set delayMs(ms: number) {
    this.#delayMs = ms;
  }

  pass(deliver: () => void): void {
    this.#queue.push({ due: performance.now() + this.#delayMs, deliver });
    this.#deliver();
    if (this.#delayMs > 0) setTimeout(() => this.#deliver(), this.#delayMs + 1).unref();
  }

  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#deliver();
  }

  #deliver(): void {
    while (!this.#isHeld) {
      const [next] = this.#queue;
      if (next === undefined || next.due > performance.now()) return;
      this.#queue.shift();
      next.deliver();
    }
  }
}

/** A port that leads to another one, byte for byte unless `pass` does otherwise with the answers. */
export async function tcpProxy(target?: string, pass?: PassAnswers): Promise<TcpProxy> {
  let leadsTo = target;
  let opened = 0;
  const wire = new Wire();
  const cuts = new Set<() => void>();
  const forward = (from: Socket, to: Socket) => {
    from.on("data", (bytes) => wire.pass(() => to.write(bytes)));
  };
  let isClosed = false;
  const server = createServer((client) => {
    client.on("error", () => undefined);
    if (leadsTo === undefined || isClosed) {
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
    for (const side of [client, upstream])
      side.on("error", () => undefined).on("close", () => wire.pass(end));
    forward(client, upstream);
    if (pass === undefined) forward(upstream, client);
    else pass(upstream, client, end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const end of [...cuts]) end();
  };
  onTestFinished(async () => {
    isClosed = true;
    wire.release();
    cut();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = Object(server.address());
  return {
    host: `127.0.0.1:${port}`,
    cut,
    hold: () => wire.hold(),
    release: () => wire.release(),
    delay: (ms) => {
      wire.delayMs = ms;
    },
    opened: () => opened,
    leadTo(host) {
      leadsTo = host;
    },
  };
}
