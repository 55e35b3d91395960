import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Somebody to post to, on a port of its own. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** How the next requests are answered, one each; then all with 204. */
  readonly answers: ((response: ServerResponse) => void)[] = [];
  /** What is answered with 404. */
  refuses: (body: string) => boolean = () => false;
  url = "";
  readonly #taken: string[] = [];
  #arrived = () => {};
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    this.received.push({ headers: request.headers, body });
    this.#arrived();
    this.#answer(body, response);
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const { port } = this.#server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}/answers`;
  }

  readonly stop = async (): Promise<void> => {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  };

  /** The bodies that were answered with 204. */
  taken(): readonly string[] {
    return this.#taken;
  }

  /** Fulfilled when so many requests have come. */
  async until(count: number): Promise<void> {
    while (this.received.length < count) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  #answer(body: string, response: ServerResponse): void {
    const next = this.answers.shift();
    if (next !== undefined) next(response);
    else if (this.refuses(body)) response.writeHead(404).end();
    else {
      this.#taken.push(body);
      response.writeHead(204).end();
    }
  }
}

/** One that ends with the test. */
export async function webhookReceiver(): Promise<WebhookReceiver> {
  const receiver = new WebhookReceiver();
  await receiver.start();
  onTestFinished(receiver.stop);
  return receiver;
}
