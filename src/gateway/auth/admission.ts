import type { IncomingMessage } from "node:http";
import { newId } from "../../core/ids.js";
import { clientAddress } from "../http/client-address.js";
import { badRequest, forbidden, scopeNeeded, tokenInUrl, tooMany, unauthorized } from "../refusals.js";
import { isLoopback } from "../settings.js";
import type { Caller, Scope } from "../types.js";
import type { Lockout } from "./lockout.js";
import type { RateLimit } from "./rate-limit.js";
import { includesScope } from "./scope.js";
import { looksLikeSecret } from "./secret.js";
import type { TokenStore } from "./token-store.js";

/** The subprotocol that our own clients speak, and the one that carries the token where a browser lets no header be set. */
export const SUBPROTOCOL = "dragoman.v1";
const BEARER_SUBPROTOCOL = "bearer.";

/** Names of parameters that are nothing but a token. */
const TOKEN_PARAMETERS = new Set(["token", "access_token", "auth_token", "api_key", "apikey", "bearer"]);

export interface AdmissionOptions {
  tokens: Pick<TokenStore, "verify">;
  lockout: Lockout;
  rates: RateLimit;
  /** The address the server was told to listen on, and names it is called by. */
  hosts: readonly string[];
  origins: readonly string[];
  /** Addresses of proxies whose `X-Forwarded-For` is believed. */
  proxies: readonly string[];
  /** Headers that may carry the token beside `Authorization`. */
  keyHeaders: readonly string[];
}

/** Who asks, and what they may still ask for. */
export interface Admitted {
  caller: Caller;
  rate: Readonly<Record<string, string>>;
}

/** A request's own id if it is a plain one, so that a caller finds it in our log under its own name. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : newId();
}

/** Decides who is let in. Everything is judged by what cannot be made up: the connection, and a token we made. */
export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** What is asked for. Refused under a name that is not ours: a page of another name that leads here is an attack. */
  targetOf(request: IncomingMessage): URL {
    const { host = "" } = request.headers;
    if ((request.headersDistinct["host"]?.length ?? 0) > 1)
      throw badRequest("the request has two Host headers");
    if (!this.#isOurName(nameIn(host), request)) {
      throw forbidden("this gateway is not called so; add the name to gateway.hosts in its configuration");
    }
    const { url = "" } = request;
    if (!url.startsWith("/") || !URL.canParse(`http://${host}${url}`)) {
      throw badRequest("invalid request target");
    }
    const target = new URL(`http://${host}${url}`);
    this.#refuseTokenIn(target);
    return target;
  }

  /** The origin that may read the answer; undefined where no browser asks. */
  originOf(request: IncomingMessage): string | undefined {
    const { origin, host } = request.headers;
    if (origin === undefined) return undefined;
    if (origin === `http://${host}` || this.#options.origins.includes(origin)) return origin;
    throw forbidden(
      "pages of this origin may not use this gateway; see gateway.origins in its configuration",
    );
  }

  /** Whose token came with a request. */
  async admit(request: IncomingMessage): Promise<Admitted> {
    const { tokens, lockout } = this.#options;
    const address = this.addressOf(request);
    const secret = this.#secretIn(request);
    // The right token first: what strangers send from the same address, such as a proxy's, is nothing against its holder.
    const holder = secret === undefined ? undefined : await tokens.verify(secret);
    if (holder === undefined) {
      const wait = lockout.remaining(address);
      if (wait > 0) {
        throw tooMany("too many wrong tokens came from this address", {
          "retry-after": String(Math.ceil(wait / 1000)),
        });
      }
      if (secret !== undefined) lockout.recordWrong(address, secret);
      this.admitAnonymous(request);
      throw unauthorized();
    }
    const rate = this.#charge(`token ${holder.id}`);
    const { id, scope, agents } = holder;
    const permit = { scope, ...(agents === undefined ? {} : { agents }) };
    return { caller: { token: id, ...permit, address }, rate: rate.headers };
  }

  /** Counts a request that came without a token. */
  admitAnonymous(request: IncomingMessage): Readonly<Record<string, string>> {
    return this.#charge(`address ${this.addressOf(request)}`).headers;
  }

  /** Where a request comes from: the connection's other end or, if that is a proxy we were told of, whom the proxy names. */
  addressOf({ socket, headers }: IncomingMessage): string {
    return clientAddress(socket.remoteAddress, headers["x-forwarded-for"], this.#options.proxies);
  }

  /** Counts something a caller does after it was let in. False when it was too much. */
  charge({ token }: Caller): boolean {
    return this.#options.rates.charge(`token ${token}`).allowed;
  }

  requireScope(caller: Caller, needed: Scope): void {
    if (!includesScope(caller.scope, needed)) throw scopeNeeded(needed);
  }

  #charge(caller: string) {
    const allowance = this.#options.rates.charge(caller);
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

/** `localhost:18800` → `localhost`, `[::1]:18800` → `::1`; nothing for what is no name with a port. */
function nameIn(host: string): string {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::\d{1,5})?$/i.exec(host) ?? [];
  return (bracketed ?? plain ?? "").toLowerCase();
}

function offeredProtocols(header: string | undefined): string[] {
  return header === undefined ? [] : header.split(",").map((protocol) => protocol.trim());
}
