import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { urlToHttpOptions } from "node:url";
import { onAbort } from "../core/async/on-abort.js";
import { LatestMap } from "../core/latest-map.js";
import type { ProviderResponse, World } from "../providers/world.js";
import { ResponseReader } from "./response-reader.js";

/** How long an idle connection is kept. */
const IDLE_MS = 60_000;

interface Transport {
  request(options: RequestOptions): ClientRequest;
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
    const sent = transport.request({ ...addressOf(url), ...optionsOf(init), agent: transport.agent });
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

/** The addresses of the latest requests: a gateway calls few, and parsing one takes a tenth of the time of creating a request. */
const addresses = new LatestMap<RequestOptions>(100);

/** An address with a query or a user is not kept, because it may contain a key. */
function addressOf(url: string): RequestOptions {
  const known = addresses.get(url);
  if (known !== undefined) return known;
  const { protocol, hostname, port, path, auth } = urlToHttpOptions(new URL(url));
  if (auth !== undefined) return { protocol, hostname, port, path, auth };
  const address = { protocol, hostname, port, path };
  if (!url.includes("?")) addresses.set(url, address);
  return address;
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
    headers: { get: (name) => headerOf(answer, name) },
    body: { getReader: () => new ResponseReader(answer) },
  };
}

/** Node's `headers` would convert all of them, for the one that is usually read. */
function headerOf(answer: IncomingMessage, name: string): string | null {
  const { rawHeaders } = answer;
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== name) continue;
    // Whether the values of a repeated header are joined depends on its name.
    if (value !== undefined) return [answer.headers[name] ?? []].flat().join(", ") || null;
    value = rawHeaders[index + 1];
  }
  return value || null;
}
