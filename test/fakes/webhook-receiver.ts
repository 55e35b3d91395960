import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** How the next requests are answered, one each; then all with 204. */
  answers: ((response: ServerResponse) => void)[];
  /** Fulfilled when so many requests have come. */
  until(count: number): Promise<void>;
}

/** Somebody to post to, on a port of its own, until the test ends. */
export async function webhookReceiver(): Promise<Receiver> {
  let arrived = () => {};
  const receiver: Receiver = {
    url: "",
    received: [],
    answers: [],
    async until(count) {
      while (receiver.received.length < count) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
    },
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    receiver.received.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
    arrived();
    const answer = receiver.answers.shift();
    if (answer === undefined) response.writeHead(204).end();
    else answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  receiver.url = `http://127.0.0.1:${port}/answers`;
  return receiver;
}
