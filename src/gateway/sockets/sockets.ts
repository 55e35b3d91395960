import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { type Admission, requestIdOf, SUBPROTOCOL } from "../auth/admission.js";
import type { TokenStore } from "../auth/token-store.js";
import type { Match, Router } from "../http/router.js";
import { safetyHeaders } from "../http/write-reply.js";
import { closingDown, notFound, plainRefusal, refusalOf, refuse as refuseAs } from "../refusals.js";
import type { Caller, Gateway, GuestRoute, SocketRoute } from "../types.js";
import { closeCodes, NOT_VALID, WsClientSocket } from "./client-socket.js";
import { WsGuestSocket } from "./guest-socket.js";
import { loadWs } from "./load-ws.js";

/** The only path for other gateways. */
const LINK_PATH = "/rpc";

/** How many clients may be connected that have not sent their token yet. */
const MAX_GUESTS = 64;

export interface SocketsOptions {
  gateway: Gateway;
  router: Router;
  admission: Admission;
  tokens: Pick<TokenStore, "isValid">;
  heartbeatMs: number;
  closeMs: number;
}

interface Upgrade<R> {
  id: string;
  url: URL;
  match: Match<R>;
}

/** A client with its token, or one that will send it in a message. */
type Entry = (Upgrade<SocketRoute> & { caller: Caller }) | (Upgrade<GuestRoute> & { caller?: never });

interface Connected {
  ws: WebSocket;
  request: IncomingMessage;
  connection: Duplex;
}

/** The server's WebSockets. */
export class Sockets {
  readonly #options: SocketsOptions;
  #server: Promise<WebSocketServer> | undefined;
  readonly #open = new Set<WsClientSocket>();
  readonly #guests = new Set<WsGuestSocket>();
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
      server.handleUpgrade(request, connection, head, (ws) => {
        const from = { ws, request, connection };
        if (entry.caller === undefined) this.#welcome(from, entry);
        else this.#accept(from, entry);
      });
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
    for (const socket of [...this.#open, ...this.#guests]) socket.terminate();
  }

  async #admit(request: IncomingMessage, id: string): Promise<Entry> {
    const { admission, router, gateway } = this.#options;
    const url = admission.targetOf(request);
    admission.originOf(request);
    if (gateway.closing.aborted) throw closingDown();
    const forGuests = router.guest(url.pathname);
    if (forGuests !== undefined) {
      admission.admitAnonymous(request);
      if (this.#guests.size >= MAX_GUESTS) throw refuseAs("service_unavailable", "too many clients log in");
      return { id, url, match: forGuests };
    }
    const caller = admission.admitGateway(request) ?? (await admission.admit(request)).caller;
    const match = router.socket(url.pathname);
    if (match === undefined || (caller.isGateway === true && match.route.path !== LINK_PATH))
      throw notFound();
    admission.authorize(caller, match.route);
    return { id, url, caller, match };
  }

  #welcome(from: Connected, { id, url, match }: Upgrade<GuestRoute>): void {
    const { admission, gateway, closeMs } = this.#options;
    const { route, params } = match;
    const { request, ws } = from;
    const guest: WsGuestSocket = new WsGuestSocket(ws, {
      closeMs,
      admit: async (secret) => {
        const { caller } = await admission.admit(request, secret);
        admission.authorize(caller, { scope: route.scope });
        this.#guests.delete(guest);
        return this.#add(from, id, route.path, caller);
      },
    });
    this.#guests.add(guest);
    ws.on("close", () => this.#guests.delete(guest));
    route.welcome(guest, { id, url, params, headers: request.headers }).catch((error: unknown) => {
      gateway.logger.error({ id, route: route.path, err: error }, "a protocol threw");
      guest.close(closeCodes.failed, "something went wrong");
    });
  }

  #accept(from: Connected, { id, url, caller, match }: Extract<Entry, { caller: Caller }>): void {
    const { route, params } = match;
    const socket = this.#add(from, id, route.path, caller);
    socket.guard(() => route.open(socket, { id, url, params, headers: from.request.headers }));
  }

  #add({ ws, connection }: Connected, id: string, route: string, caller: Caller): WsClientSocket {
    const { gateway, admission, tokens, closeMs } = this.#options;
    const { logger, metrics, limits } = gateway;
    const fields = { id, route, token: caller.token, address: caller.address };
    const socket = new WsClientSocket(ws, connection, caller, {
      unreadBytes: limits.unreadBytes,
      closeMs,
      onFrame: () => metrics.count("dragoman_socket_messages_total", { route }),
      charge: () => admission.charge(caller),
      isValid: async () => caller.isGateway === true || (await tokens.isValid(caller.token)),
      onDrop: () => {
        metrics.count("dragoman_unread_drops_total", { route });
        logger.warn(fields, "disconnected a client: too much was unread");
      },
      onFailure: (error) => logger.error({ ...fields, err: error }, "a protocol threw"),
    });
    this.#open.add(socket);
    ws.on("close", (code) => {
      this.#open.delete(socket);
      logger.info({ ...fields, code }, "socket closed");
    });
    metrics.count("dragoman_sockets_total", { route });
    logger.info(fields, "socket opened");
    return socket;
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
  const { WebSocketServer } = loadWs();
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
