import type { MetricsRegistry } from "./metrics.js";
import { plainRefusal } from "./refusals.js";
import type { Gateway, Protocol } from "./types.js";
import { viewerPages, webPage } from "./web/files.js";

/** The server's own pages and routes. */
export function builtin(gateway: Gateway, metrics: MetricsRegistry): Protocol {
  return {
    pages: [
      { path: "/", reply: ({ headers }) => webPage("index.html", headers) },
      { path: "/view", reply: ({ headers }) => webPage("view.html", headers) },
      ...viewerPages,
      { path: "/healthz", reply: async () => ({ status: 200, json: { status: "ok" } }) },
      {
        path: "/readyz",
        reply: async () =>
          (await isReady(gateway))
            ? { status: 200, json: { status: "ready" } }
            : { status: 503, json: { status: "not ready" } },
      },
    ],
    http: {
      refuse: plainRefusal,
      routes: [
        {
          method: "GET",
          path: "/metrics",
          scope: "read",
          handle: async () => ({
            status: 200,
            headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
            body: await metrics.text(),
          }),
        },
      ],
    },
  };
}

/** Gives no reason, because callers need no token; `dragoman doctor` reports it. */
function isReady({ runtime }: Gateway): Promise<boolean> {
  return runtime.store.ready().then(
    () => true,
    () => false,
  );
}
