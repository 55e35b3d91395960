import { createServer } from "node:http";
import { Admission } from "../../gateway/auth/admission.js";
import { Lockout } from "../../gateway/auth/lockout.js";
import { RateLimit } from "../../gateway/auth/rate-limit.js";
import { hashOf, newSecret, sameHash } from "../../gateway/auth/secret.js";
import { handleRequest } from "../../gateway/http/http-exchange.js";
import { Router } from "../../gateway/http/router.js";
import { plainRefusal } from "../../gateway/refusals.js";
import { listen } from "../../gateway/server.js";
import type { Protocol } from "../../gateway/types.js";
import { viewerPages, webPage } from "../../gateway/web/files.js";
import { reportLine } from "../terminal/report-line.js";

const HOST = "127.0.0.1";
/** The page is about thirty files; its reader reloads it to see what was added. */
const REQUESTS_PER_MINUTE = 3_000;
const STALL_MS = 60_000;

/**
 * Serves the viewer and one transcript on this computer, to clients that have the key. Hosts, origins and keys are checked
 * as in the gateway.
 */
export async function startViewServer(
  port: number,
  transcript: () => AsyncIterable<Uint8Array>,
): Promise<{ url: string; key: string }> {
  const key = newSecret();
  const hash = hashOf(key);
  const admission = new Admission({
    tokens: {
      verify: async (secret) =>
        sameHash(hashOf(secret), hash) ? { id: "view", name: "view", scope: "read" } : undefined,
    },
    lockout: new Lockout(Date.now),
    rates: new RateLimit(REQUESTS_PER_MINUTE, Date.now),
    hosts: [HOST],
    origins: [],
    proxies: [],
    keyHeaders: [],
  });
  const world = {
    gateway: {
      logger: {
        info: () => undefined,
        warn: () => undefined,
        error: (_: object, text: string) => reportLine(text),
      },
      metrics: { count: () => undefined, gauge: () => undefined },
      limits: { bodyBytes: 0 },
      closing: new AbortController().signal,
      now: Date.now,
    },
    router: new Router([protocol(transcript)]),
    admission,
    stallMs: STALL_MS,
  };
  const server = createServer();
  server.on("request", (request, response) => void handleRequest(request, response, world));
  return { url: await listen(server, { host: HOST, port }), key };
}

function protocol(transcript: () => AsyncIterable<Uint8Array>): Protocol {
  return {
    pages: [{ path: "/", reply: ({ headers }) => webPage("view.html", headers) }, ...viewerPages],
    http: {
      refuse: plainRefusal,
      routes: [
        {
          method: "GET",
          path: "/view/transcript",
          scope: "read",
          handle: async () => ({
            status: 200,
            headers: { "content-type": "application/octet-stream" },
            stream: transcript(),
          }),
        },
      ],
    },
  };
}
