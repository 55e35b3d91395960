import type { IncomingMessage } from "node:http";
import { newId } from "../../core/ids.js";
import { defined } from "../../core/json/defined.js";
import { clientAddress } from "../http/client-address.js";
import type { Proofs } from "../links/proofs.js";
import {
  badRequest,
  forbidden,
  onlyShared,
  scopeNeeded,
  tokenInUrl,
  tooMany,
  unauthorized,
} from "../refusals.js";
import { isLoopback } from "../settings.js";
import type { Caller, Scope } from "../types.js";
import type { Lockout } from "./lockout.js";
import type { Rate, RateLimit } from "./rate-limit.js";
import { includesScope } from "./scope.js";
import { looksLikeSecret } from "./secret.js";
import type { TokenStore } from "./token-store.js";

/** Our own clients' subprotocol, and the one with the token, because browsers cannot set headers for a WebSocket. */
export const SUBPROTOCOL = "dragoman.v1";
const BEARER_SUBPROTOCOL = "bearer.";

/** The subprotocol with the proof of another gateway begins with this. */
export const PROOF_PREFIX = "link.";
/** Other gateways of the same store, in place of the id of a token. A token's id never looks like this. */
const GATEWAY_CALLER = "gateway";
/** A link carries the requests of many clients, which were counted where they came from. */
const GATEWAY_REQUESTS_PER_MINUTE = 1_000_000;

/** Query parameters that only ever hold a token. */
const TOKEN_PARAMETERS = new Set(["token", "access_token", "auth_token", "api_key", "apikey", "bearer"]);

export interface AdmissionOptions {
  tokens: Pick<TokenStore, "verify">;
  lockout: Lockout;
  rates: RateLimit;
  /** The address that the server listens on, and its other names. */
  hosts: readonly string[];
  origins: readonly string[];
  /** Addresses of proxies whose `X-Forwarded-For` is trusted. */
  proxies: readonly string[];
  /** Headers that may carry the token, in addition to `Authorization`. */
  keyHeaders: readonly string[];
  /** Recognises the other gateways of the same store. */
  proofs?: Pick<Proofs, "accepts"> | undefined;
}

/** The caller, and what is left of its rate limit. */
export interface Admitted {
  caller: Caller;
  rate: Rate;
}

/** The request's own id if it is safe to log, so that the caller finds it in our log; otherwise a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : newId();
}

/** Admits or refuses requests, based only on what a client cannot forge: the connection, and a token of ours. */
export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** The requested URL. Refuses other host names, because DNS rebinding attacks use them. */
  targetOf(request: IncomingMessage): URL {
    const { host = "" } = request.headers;
    if (countHeader(request, "host") > 1) throw badRequest("the request has two Host headers");
    if (!this.#isOurName(nameIn(host), request)) {
      throw forbidden("unknown host name; add it to gateway.hosts in the gateway's configuration");
    }
    const { url = "" } = request;
    const target = url.startsWith("/") ? parseUrl(`http://${host}${url}`) : undefined;
    if (target === undefined) throw badRequest("invalid request target");
    if (target.search !== "") this.#refuseTokenIn(target);
    return target;
  }

  /** The origin that may read the answer; undefined if the request is not from a browser. */
  originOf(request: IncomingMessage): string | undefined {
    const { origin, host } = request.headers;
    if (origin === undefined) return undefined;
    if (origin === `http://${host}` || this.#options.origins.includes(origin)) return origin;
    throw forbidden("this origin may not use this gateway; see gateway.origins in its configuration");
  }

  /** Another gateway of the same store; undefined if the request offers no proof. A wrong one is refused. */
  admitGateway(request: IncomingMessage): Caller | undefined {
    const { lockout, proofs } = this.#options;
    const proof = offeredProtocols(request.headers["sec-websocket-protocol"]).find((protocol) =>
      protocol.startsWith(PROOF_PREFIX),
    );
    if (proof === undefined || proofs === undefined) return undefined;
    const address = this.addressOf(request);
    if (proofs.accepts(proof)) {
      return {
        token: GATEWAY_CALLER,
        scope: "admin",
        address,
        requestsPerMinute: GATEWAY_REQUESTS_PER_MINUTE,
        isGateway: true,
      };
    }
    if (lockout.remaining(address) === 0) lockout.recordWrong(address, proof);
    throw unauthorized();
  }

  /** The owner of a token (default: the one in the request's headers). */
  async admit(request: IncomingMessage, secret = this.#secretIn(request)): Promise<Admitted> {
    const { tokens, lockout } = this.#options;
    const address = this.addressOf(request);
    // A right token is accepted even during a lockout: others may have sent wrong ones through the same proxy.
    const holder = secret === undefined ? undefined : await tokens.verify(secret);
    if (holder === undefined) {
      const wait = lockout.remaining(address);
      if (wait > 0) {
        throw tooMany("too many wrong tokens from this address", {
          "retry-after": String(Math.ceil(wait / 1000)),
        });
      }
      if (secret !== undefined) lockout.recordWrong(address, secret);
      this.admitAnonymous(request);
      throw unauthorized();
    }
    const { id, scope, agents, session, budget, requestsPerMinute } = holder;
    const rate = this.#charge(`token ${id}`, requestsPerMinute);
    return {
      caller: { token: id, scope, ...defined({ agents, session, budget, requestsPerMinute }), address },
      rate,
    };
  }

  /** Counts a request without a token. */
  admitAnonymous(request: IncomingMessage): Readonly<Record<string, string>> {
    return this.#charge(`address ${this.addressOf(request)}`).headers;
  }

  /** The remote address, or the one that a trusted proxy forwards. */
  addressOf({ socket, headers }: IncomingMessage): string {
    return clientAddress(socket.remoteAddress, headers["x-forwarded-for"], this.#options.proxies);
  }

  /** Counts a request of an admitted caller. False if it exceeds the rate limit. */
  charge({ token, requestsPerMinute }: Caller): boolean {
    return this.#options.rates.charge(`token ${token}`, requestsPerMinute).allowed;
  }

  /** Refuses a caller whose token does not permit a route. */
  authorize(caller: Caller, { scope, servesShared }: { scope: Scope; servesShared?: true }): void {
    if (caller.session !== undefined && servesShared !== true) throw onlyShared();
    if (!includesScope(caller.scope, scope)) throw scopeNeeded(scope);
  }

  #charge(caller: string, perMinute?: number) {
    const allowance = this.#options.rates.charge(caller, perMinute);
    if (!allowance.allowed) throw tooMany("too many requests; slow down", allowance.headers);
    return allowance;
  }

  #isOurName(name: string, { socket }: IncomingMessage): boolean {
    if (name === "") return false;
    const arrivedAt = socket.localAddress?.replace(/^::ffff:/, "");
    return isLoopback(name) || name === arrivedAt || this.#options.hosts.includes(name);
  }

  #refuseTokenIn({ searchParams }: URL): void {
    for (const [name, value] of searchParams) {
      if (TOKEN_PARAMETERS.has(name.toLowerCase()) || looksLikeSecret(value)) throw tokenInUrl();
    }
  }

  #secretIn({ headers }: IncomingMessage): string | undefined {
    const { authorization } = headers;
    if (authorization !== undefined) return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    for (const name of this.#options.keyHeaders) {
      const value = headers[name];
      if (typeof value === "string") return value;
    }
    return offeredProtocols(headers["sec-websocket-protocol"])
      .find((protocol) => protocol.startsWith(BEARER_SUBPROTOCOL))
      ?.slice(BEARER_SUBPROTOCOL.length);
  }
}

/** How often a header was sent. Node's `headersDistinct` would copy all of them. */
function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const text = rawHeaders[index] ?? "";
    if (text.length === name.length && text.toLowerCase() === name) count++;
  }
  return count;
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // Its message would repeat the URL, which may contain a token.
    return undefined;
  }
}

/** `localhost:18800` → `localhost`, `[::1]:18800` → `::1`; empty if the header is malformed. */
function nameIn(host: string): string {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::\d{1,5})?$/i.exec(host) ?? [];
  return (bracketed ?? plain ?? "").toLowerCase();
}

function offeredProtocols(header: string | undefined): string[] {
  return header === undefined ? [] : header.split(",").map((protocol) => protocol.trim());
}
