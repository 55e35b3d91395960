import { setMaxListeners } from "node:events";
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { DragomanError, wordsOf } from "../core/error.js";
import { newId } from "../core/ids.js";
import { systemCode } from "../log/files/disk-error.js";
import type { Conversation } from "../runtime/conversation.js";
import { configOf, type LiveConfig } from "../runtime/live-config.js";
import type { Runtime } from "../runtime/runtime.js";
import { Admission } from "./auth/admission.js";
import { Lockout } from "./auth/lockout.js";
import { RateLimit } from "./auth/rate-limit.js";
import type { TokenStore } from "./auth/token-store.js";
import { builtin } from "./builtin.js";
import { ByteBudget } from "./http/byte-budget.js";
import { handleRequest, UNVERIFIED_BYTES } from "./http/http-exchange.js";
import { Router } from "./http/router.js";
import type { LinkSettings } from "./links/open-links.js";
import { countLosses, MetricsRegistry, watchProcess, watchStore, watchTelemetry } from "./metrics.js";
import { type GatewaySettings, urlOf } from "./settings.js";
import { Sockets } from "./sockets/sockets.js";
import type { ChannelDesk, Gateway, Logger, Metrics, Protocol } from "./types.js";
import { measureUsage } from "./usage-metrics.js";

export type ProtocolFactory = (gateway: Gateway) => Protocol | readonly Protocol[];

/** Time limits, in milliseconds. */
export interface Timing {
  /** For a request's headers, and for all of it. */
  headers: number;
  request: number;
  /** How often these two are checked. */
  check: number;
  keepAlive: number;
  heartbeat: number;
  /** For a client that does not read a streamed answer. */
  stall: number;
  /** For a client to confirm a close. */
  close: number;
  /** For runs to end when the server shuts down. */
  grace: number;
  /** For the channels to send what they can still send. */
  channels: number;
}

const defaultTiming: Timing = {
  headers: 10_000,
  request: 120_000,
  check: 5_000,
  keepAlive: 10_000,
  heartbeat: 30_000,
  stall: 60_000,
  close: 2_000,
  grace: 5_000,
  channels: 10_000,
};

const MAX_HEADER_BYTES = 16 * 1024;

export interface GatewayOptions {
  runtime: Runtime;
  tokens: TokenStore;
  settings: GatewaySettings;
  protocols: readonly ProtocolFactory[];
  logger: Logger;
  /** Set if other gateways share the store. */
  links?: LinkSettings | undefined;
  /** The configuration that it follows (default: the home's, applied to the runtime). */
  config?: LiveConfig;
  now?: () => number;
  timing?: Partial<Timing>;
}

export interface RunningGateway {
  /** `http://127.0.0.1:18800` */
  url: string;
  /** Connects the chat platforms, instead of those before; they close with the gateway. */
  attach(start: ((metrics: Metrics) => ChannelDesk) | undefined): Promise<void>;
  /** Fulfilled when all connections are closed. Returns the conversations that are still running. */
  close(): Promise<readonly Conversation[]>;
}

/**
 * Serves all protocols on one port.
 *
 * @example
 * const gateway = await startGateway({ runtime, tokens, settings: settingsOf(config, env), protocols, logger });
 * await gateway.close();
 */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { runtime, tokens, settings, logger, now = Date.now } = options;
  const timing = { ...defaultTiming, ...options.timing };
  const { limits } = settings;
  const closing = new AbortController();
  // Every request in progress listens to it, and Node warns above ten listeners.
  setMaxListeners(0, closing.signal);
  const metrics = new MetricsRegistry();
  const config = options.config ?? configOf(runtime);
  const gateway: Gateway = {
    ...{ runtime, tokens, config, logger, metrics, limits, now },
    closing: closing.signal,
  };
  const links = await joinLinks(options, metrics);
  if (links !== undefined) gateway.links = links.links;
  const protocols = [
    ...options.protocols.flatMap((make) => make(gateway)),
    ...(links === undefined ? [] : [links.protocol]),
    builtin(gateway, metrics),
  ];
  const router = new Router(protocols);
  const admission = new Admission({
    tokens,
    lockout: new Lockout(now),
    rates: new RateLimit(limits.requestsPerMinute, now),
    hosts: [settings.host.toLowerCase(), ...settings.hosts],
    origins: settings.origins,
    proxies: settings.proxies,
    proofs: links?.links.proofs,
    keyHeaders: [...new Set(protocols.flatMap(({ http }) => http?.keyHeaders ?? []))],
  });
  const sockets = new Sockets({
    gateway,
    router,
    admission,
    tokens,
    heartbeatMs: timing.heartbeat,
    closeMs: timing.close,
  });

  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timing.headers,
    requestTimeout: timing.request,
    connectionsCheckingInterval: timing.check,
    keepAliveTimeout: timing.keepAlive,
  });
  server.maxConnections = limits.connections;
  const unverified = new ByteBudget(UNVERIFIED_BYTES);
  const world = { gateway, router, admission, stallMs: timing.stall, unverified };
  server.on("request", (request, response) => void handleRequest(request, response, world));
  server.on("checkContinue", (request, response) => void handleRequest(request, response, world));
  server.on("upgrade", (request, socket, head) => void sockets.upgrade(request, socket, head));
  server.on("clientError", refuseBroken);
  server.on("drop", () => metrics.count("dragoman_connections_refused_total"));

  watchProcess(metrics);
  watchStore(metrics, runtime.store);
  watchTelemetry(metrics, runtime);
  metrics.gauge("dragoman_runs", () => runtime.running().length);
  runtime.usage.setBudgets((token) => tokens.budgetOf(token));
  const unwatchUsage = measureUsage(metrics, runtime, tokens);
  const unwatchLosses = runtime.watchLosses((record) => countLosses(metrics, record));
  const unwatchFallbacks = runtime.watchFallbacks((fallback) => {
    metrics.count("dragoman_fallbacks_total", { ...fallback });
    logger.warn(fallback, "a model failed; the next model in its list is asked");
  });
  let connections = 0;
  server.on("connection", (socket) => {
    connections++;
    socket.once("close", () => connections--);
  });
  metrics.gauge("dragoman_connections", () => connections);

  const url = await listen(server, settings);
  await links?.join(url);
  // After the server is ready, but before the first client needs it.
  setImmediate(() => {
    sockets
      .load()
      .catch((error) => logger.error({ err: error }, "the WebSocket library could not be loaded"));
  });
  return {
    url,
    async attach(start) {
      const before = gateway.channels;
      delete gateway.channels;
      await before?.close();
      if (start !== undefined && !closing.signal.aborted) gateway.channels = start(metrics);
    },
    async close() {
      unwatchLosses();
      unwatchFallbacks();
      unwatchUsage();
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await atMost(timing.grace, Promise.all(runtime.running().map((conversation) => conversation.idle())));
      const left = gateway.channels
        ?.close()
        .catch((error) => logger.error({ err: error }, "the channels did not close"));
      await atMost(timing.channels, Promise.resolve(left));
      await links?.links
        .close()
        .catch((error) => logger.error({ err: error }, "the links to other gateways did not close"));
      sockets.closeAll();
      await atMost(timing.close, closed);
      sockets.terminateAll();
      server.closeAllConnections();
      await closed;
      return runtime.running();
    },
  };
}

/** Links are loaded only by a gateway that has some. */
async function joinLinks({ links: settings, runtime, logger }: GatewayOptions, metrics: Metrics) {
  if (settings === undefined) return undefined;
  const { openLinks, advertisedUrl } = await import("./links/open-links.js");
  const { linkProtocol } = await import("./links/protocol.js");
  const links = await openLinks(runtime, settings, { logger, metrics });
  return {
    links,
    protocol: linkProtocol(links.proofs),
    join: (url: string) => links.join(advertisedUrl(settings, url)),
  };
}

async function atMost(ms: number, done: Promise<unknown>): Promise<void> {
  const enough = new AbortController();
  const waited = pause(ms, undefined, { signal: enough.signal });
  // Cancelling the timer is not a failure.
  waited.catch(() => undefined);
  await Promise.race([done, waited]);
  enough.abort();
}

/** Returns a URL that works on this computer. */
export async function listen(
  server: Server,
  { host, port }: Pick<GatewaySettings, "host" | "port">,
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(error, host, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("the server has no port");
  return urlOf({ host, port: address.port });
}

function cannotListen(error: unknown, host: string, port: number): DragomanError {
  const code = systemCode(error);
  if (code === "EADDRINUSE") {
    return new DragomanError("gateway/port-in-use", `port ${port} on ${host} is already in use`, {
      hint: "another gateway may be running; stop it, or choose another port with --port",
      cause: error,
    });
  }
  const reasons: Record<string, string> = {
    EACCES: "this user is not allowed to use the port",
    EADDRNOTAVAIL: "this computer does not have that address",
    ENOTFOUND: "the host name was not found",
  };
  const reason = reasons[code ?? ""] ?? wordsOf(error);
  return new DragomanError("gateway/cannot-listen", `cannot listen on ${host}, port ${port}: ${reason}`, {
    hint: "choose another address with --host, or another port with --port",
    cause: error,
  });
}

const broken: Record<string, [number, string, string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "the headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "the request took too long"],
};

/** Answers a malformed or timed-out request and closes the connection. */
function refuseBroken(error: NodeJS.ErrnoException, connection: Socket): void {
  if (error.code === "ECONNRESET" || !connection.writable) {
    connection.destroy();
    return;
  }
  const [status, text, message] = broken[error.code ?? ""] ?? [
    400,
    "Bad Request",
    "this is not an HTTP request",
  ];
  const body = JSON.stringify({ error: "invalid_request", message });
  connection.once("finish", () => connection.destroy());
  connection.end(
    [
      `HTTP/1.1 ${status} ${text}`,
      "connection: close",
      "content-type: application/json; charset=utf-8",
      `content-length: ${body.length}`,
      `x-request-id: ${newId()}`,
      "",
      body,
    ].join("\r\n"),
  );
}
