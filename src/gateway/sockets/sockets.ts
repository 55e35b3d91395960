import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { type Admission, requestIdOf, SUBPROTOCOL } from "../auth/admission.js";
import type { TokenStore } from "../auth/token-store.js";
import type { Match, Router } from "../http/router.js";
import { safetyHeaders } from "../http/write-reply.js";
import { closingDown, notFound, plainRefusal, refusalOf } from "../refusals.js";
import type { Caller, Gateway, SocketRoute } from "../types.js";
import { closeCodes, NOT_VALID, WsClientSocket } from "./client-socket.js";

/** The only path for other gateways. */
const LINK_PATH = "/rpc";

export interface SocketsOptions {
  gateway: Gateway;
  router: Router;
  admission: Admission;
  tokens: Pick<TokenStore, "isValid">;
  heartbeatMs: number;
  closeMs: number;
}

interface AdmittedUpgrade {
  id: string;
  url: URL;
  caller: Caller;
  match: Match<SocketRoute>;
}

/** The server's WebSockets. */
export class Sockets {
  readonly #options: SocketsOptions;
  #server: Promise<WebSocketServer> | undefined;
  readonly #open = new Set<WsClientSocket>();
  readonly #heart: NodeJS.Timeout;

  constructor(options: SocketsOptions) {
    this.#options = options;
    this.#heart = setInterval(() => void this.#beat(), options.heartbeatMs).unref();
    options.gateway.metrics.gauge("dragoman_sockets", () => this.#open.size);
  }

  /** Loads the library, which the server's start does not wait for. */
  load(): Promise<WebSocketServer> {
    this.#server ??= makeServer(this.#options.gateway.limits.frameBytes).catch((error) => {
      // For example, too few file descriptors. The next client tries again.
      this.#server = undefined;
      throw error;
    });
    return this.#server;
  }

  async upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): Promise<void> {
    const { logger } = this.#options.gateway;
    const id = requestIdOf(request);
    // The client may disconnect while its token is checked.
    connection.on("error", () => undefined);
    try {
      const [entry, server] = await Promise.all([this.#admit(request, id), this.load()]);
      server.handleUpgrade(request, connection, head, (ws) => this.#accept(ws, request, connection, entry));
    } catch (error) {
      const refusal = refusalOf(error);
      const { status, headers, json } = plainRefusal(refusal);
      if (status >= 500) logger.error({ id, err: error }, "a connection failed");
      logger.info({ id, status, address: this.#options.admission.addressOf(request) }, "socket refused");
      refuse(connection, status, { ...headers, "x-request-id": id }, JSON.stringify(json));
    }
  }

  closeAll(): void {
    clearInterval(this.#heart);
    for (const socket of this.#open) socket.close(closeCodes.goingAway, "the gateway is shutting down");
  }

  terminateAll(): void {
    for (const socket of this.#open) socket.terminate();
  }

  async #admit(request: IncomingMessage, id: string): Promise<AdmittedUpgrade> {
    const { admission, router, gateway } = this.#options;
    const url = admission.targetOf(request);
    admission.originOf(request);
    if (gateway.closing.aborted) throw closingDown();
    const caller = admission.admitGateway(request) ?? (await admission.admit(request)).caller;
    const match = router.socket(url.pathname);
    if (match === undefined || (caller.isGateway === true && match.route.path !== LINK_PATH))
      throw notFound();
    admission.requireScope(caller, match.route.scope);
    return { id, url, caller, match };
  }

  #accept(
    ws: WebSocket,
    request: IncomingMessage,
    connection: Duplex,
    { id, url, caller, match }: AdmittedUpgrade,
  ): void {
    const { gateway, admission, tokens, closeMs } = this.#options;
    const { logger, metrics, limits } = gateway;
    const { route, params } = match;
    const fields = { id, route: route.path, token: caller.token, address: caller.address };
    const socket = new WsClientSocket(ws, connection, caller, {
      unreadBytes: limits.unreadBytes,
      closeMs,
      onFrame: () => metrics.count("dragoman_socket_messages_total", { route: route.path }),
      charge: () => admission.charge(caller),
      isValid: async () => caller.isGateway === true || (await tokens.isValid(caller.token)),
      onDrop: () => {
        metrics.count("dragoman_unread_drops_total", { route: route.path });
        logger.warn(fields, "disconnected a client: too much was unread");
      },
      onFailure: (error) => logger.error({ ...fields, err: error }, "a protocol threw"),
    });
    this.#open.add(socket);
    ws.on("close", (code) => {
      this.#open.delete(socket);
      logger.info({ ...fields, code }, "socket closed");
    });
    metrics.count("dragoman_sockets_total", { route: route.path });
    logger.info(fields, "socket opened");
    socket.guard(() => route.open(socket, { id, url, params, headers: request.headers }));
  }

  /** Also closes silent sockets whose token was revoked or has expired. */
  async #beat(): Promise<void> {
    const { tokens, gateway } = this.#options;
    for (const socket of this.#open) {
      socket.checkAlive();
      try {
        const { isGateway, token } = socket.caller;
        if (isGateway !== true && !(await tokens.isValid(token))) {
          socket.close(closeCodes.policy, NOT_VALID);
        }
      } catch (error) {
        gateway.logger.error({ err: error }, "could not read the tokens");
        return;
      }
    }
  }
}

async function makeServer(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer } = await import("ws");
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload,
    // A browser disconnects if none of its subprotocols is chosen. The one with the token is never echoed.
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
}

function refuse(
  connection: Duplex,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  const all = {
    ...safetyHeaders,
    ...headers,
    connection: "close",
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  // Without waiting for the client to close its side: it may never do so.
  connection.once("finish", () => connection.destroy());
  connection.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}
