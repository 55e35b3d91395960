import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { compatibleServer } from "./compatible-server.js";

export interface ListeningProvider {
  /** The base address of its API. */
  address: string;
  close(): void;
}

/** A strict server on a port of its own that speaks Chat Completions, wants the key, and always answers the same text. */
export async function listeningProvider(key: string, answer: string): Promise<ListeningProvider> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const { address } = addressOf(server.address());
      const rules = {
        url: `${address}/chat/completions`,
        key: { header: "authorization", value: `Bearer ${key}` },
      };
      const headers = new Headers({ authorization: request.headers.authorization ?? "" });
      const reply = await compatibleServer(rules, [{ content: answer }]).fetch(
        new URL(request.url ?? "/", address).href,
        { headers, body: Buffer.concat(chunks).toString() },
      );
      response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "" });
      response.end(await reply.text());
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { ...addressOf(server.address()), close: () => void server.close() };
}

function addressOf(bound: AddressInfo | string | null): { address: string } {
  if (bound === null || typeof bound === "string") throw new TypeError("the server listens on no port");
  return { address: `http://127.0.0.1:${bound.port}/v1` };
}
