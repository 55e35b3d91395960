import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { onAbort } from "../core/async/on-abort.js";
import type { ProviderResponse, World } from "../providers/world.js";
import { ResponseReader } from "./response-reader.js";

/** How long an idle connection is kept. */
const IDLE_MS = 60_000;

interface Transport {
  request(url: string, options: RequestOptions): ClientRequest;
  agent: Agent;
}

let plain: Promise<Transport> | undefined;
let encrypted: Promise<Transport> | undefined;

/**
 * Sends requests to providers over `node:http`. Node's `fetch` creates several web streams per request, which doubles the time
 * that a short answer takes. Redirects are not followed, and no compression is requested.
 */
export const httpFetch: World["fetch"] = async (url, init) => {
  const transport = await transportFor(url);
  for (;;) {
    const sent = transport.request(url, { ...optionsOf(init), agent: transport.agent });
    // Node's own option for the signal also watches for the end of the stream, which takes longer.
    const unlisten = onAbort(init.signal, () => sent.destroy(asError(init.signal?.reason)));
    sent.once("close", unlisten);
    sent.end(init.body);
    try {
      return asResponse(await responseTo(sent));
    } catch (error) {
      if (!wasClosedWhileIdle(sent, error)) throw error;
    }
  }
};

/** Loads a module with the first request that needs it. */
function transportFor(url: string): Promise<Transport> {
  const options = { keepAlive: true, timeout: IDLE_MS };
  if (url.startsWith("https:")) {
    encrypted ??= import("node:https").then(({ Agent, request }) => ({ request, agent: new Agent(options) }));
    return encrypted;
  }
  plain ??= import("node:http").then(({ Agent, request }) => ({ request, agent: new Agent(options) }));
  return plain;
}

function responseTo(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", reject);
  });
}

function optionsOf({ method = "GET", headers, body }: Parameters<World["fetch"]>[1]): RequestOptions {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return {
    method,
    headers: { accept: "*/*", "user-agent": "dragoman", ...headers, ...length },
  };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("the request was aborted", { cause: reason });
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
    body: { getReader: () => new ResponseReader(answer) },
  };
}
