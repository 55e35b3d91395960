import { once } from "node:events";
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { ProviderResponse, World } from "../providers/world.js";

/** How long an idle connection is kept. */
const IDLE_MS = 60_000;

interface Transport {
  request(url: string, options: RequestOptions): ClientRequest;
  agent: Agent;
}

let plain: Transport | undefined;
let encrypted: Transport | undefined;

/**
 * Sends requests to providers over `node:http`. Node's `fetch` creates several web streams per request, which doubles the time
 * that a short answer takes. Redirects are not followed, and no compression is requested.
 */
export const httpFetch: World["fetch"] = async (url, init) => {
  const transport = await transportFor(url);
  for (;;) {
    const sent = transport.request(url, { ...optionsOf(init), agent: transport.agent });
    sent.end(init.body);
    try {
      const [answer] = await once(sent, "response");
      return asResponse(answer);
    } catch (error) {
      if (!wasClosedWhileIdle(sent, error)) throw error;
    }
  }
};

async function transportFor(url: string): Promise<Transport> {
  if (url.startsWith("https:")) {
    const https = await import("node:https");
    encrypted ??= { request: https.request, agent: new https.Agent({ keepAlive: true, timeout: IDLE_MS }) };
    return encrypted;
  }
  const http = await import("node:http");
  plain ??= { request: http.request, agent: new http.Agent({ keepAlive: true, timeout: IDLE_MS }) };
  return plain;
}

function optionsOf({ method = "GET", headers, body, signal }: Parameters<World["fetch"]>[1]): RequestOptions {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return {
    method,
    headers: { accept: "*/*", "user-agent": "dragoman", ...headers, ...length },
    ...(signal === undefined ? {} : { signal }),
  };
}

/** The server closed a kept connection while the request was on its way, so it has not read it. */
function wasClosedWhileIdle({ reusedSocket }: ClientRequest, error: unknown): boolean {
  return reusedSocket && error instanceof Error && "code" in error && error.code === "ECONNRESET";
}

function asResponse(answer: IncomingMessage): ProviderResponse {
  const { statusCode: status = 0 } = answer;
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => [answer.headers[name] ?? []].flat().join(", ") || null },
    body: { getReader: () => readerOf(answer) },
  };
}

function readerOf(answer: IncomingMessage) {
  const chunks: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]();
  return {
    read: () => chunks.next(),
    async cancel() {
      answer.destroy();
    },
  };
}
