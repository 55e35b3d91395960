import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelProtocols } from "../../dist/gateway/models/protocols.js";
import { Runtime } from "../../dist/runtime/runtime.js";
import { listening } from "./listening.js";

/** The model endpoints alone, without the gateway's server before them. */
const runtime = new Runtime({ home: mkdtempSync(join(tmpdir(), "dragoman-bench-")), config: {} });
const nothing = () => undefined;
const routes = modelProtocols({
  runtime,
  notes: { info: nothing, warn: nothing, error: nothing },
  metrics: { count: nothing, gauge: nothing },
  limits: { bodyBytes: 1e7, frameBytes: 1e6, unreadBytes: 1e6, connections: 100, requestsPerMinute: 1e9 },
  closing: new AbortController().signal,
  now: Date.now,
}).flatMap(({ http }) => http?.routes ?? []);

const server = createServer(async (request, response) => {
  const route = routes.find(({ method, path }) => method === request.method && path === request.url);
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const reply = await route?.handle({
    id: "1",
    method: request.method ?? "",
    url: new URL(request.url ?? "/", "http://127.0.0.1"),
    params: {},
    headers: request.headers,
    caller: { token: "none", scope: "chat", address: "127.0.0.1" },
    signal: gone.signal,
    json: async () => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk;
      return JSON.parse(text);
    },
  });
  response.writeHead(reply?.status ?? 404, { ...reply?.headers });
  for await (const piece of reply?.stream ?? []) response.write(piece);
  response.end();
});
listening(server);
