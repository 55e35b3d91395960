import { ABORTED, untilAborted } from "../../core/async/until-aborted.js";

/** An access token that expires. */
export interface AccessToken {
  value: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

/** How long before its expiry a token is replaced. Google's metadata server has a new one five minutes before. */
const MARGIN_MS = 225_000;

/**
 * Caches access tokens by owner. Concurrent calls share one request, and a token is used until shortly before it expires.
 * A failed request is repeated by the next call.
 */
export class TokenCache {
  readonly #tokens = new Map<string, Promise<AccessToken>>();

  /** The token. Rejects with the signal's reason if it aborts first; the request for the token continues. */
  async find(
    owner: string,
    request: () => Promise<AccessToken>,
    { now, signal }: { now: () => number; signal: AbortSignal },
  ): Promise<AccessToken> {
    const known = this.#tokens.get(owner);
    const token = known ?? this.#request(owner, request);
    const value = await untilAborted(token, signal);
    if (value === ABORTED) throw signal.reason;
    if (known === undefined || value.expiresAt - MARGIN_MS > now()) return value;
    if (this.#tokens.get(owner) === known) this.#tokens.delete(owner);
    return this.find(owner, request, { now, signal });
  }

  #request(owner: string, request: () => Promise<AccessToken>): Promise<AccessToken> {
    const token = request();
    this.#tokens.set(owner, token);
    token.catch(() => {
      if (this.#tokens.get(owner) === token) this.#tokens.delete(owner);
    });
    return token;
  }
}
