import type { HttpAuth, HttpFetch } from "../client/http-transport.js";
import { type Challenge, joinScopes, readChallenge } from "./challenge.js";
import { type LoginPage, type LoginRequest, logIn, tokenFields } from "./log-in.js";
import { oauthError } from "./oauth-error.js";
import { requestTokens } from "./request-tokens.js";
import type { OAuthCredentials } from "./wire.js";

/** Where credentials are kept, by the address of the server. */
export interface CredentialStore {
  read(url: string): Promise<OAuthCredentials | undefined>;
  /** Undefined removes them. */
  write(url: string, credentials: OAuthCredentials | undefined): Promise<void>;
  /** Runs `work` while no other process refreshes tokens: a refresh token can be used only once. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

export interface AccessOptions {
  /** The server's name in the configuration. */
  name: string;
  url: string;
  store: CredentialStore;
  configured: LoginRequest["configured"];
  fetch: HttpFetch;
  now(): number;
  /** Lets a person log in (default: the request fails and names the command that does). */
  page?: LoginPage;
}

/** A token is replaced this long before it expires, so that it is valid when it arrives. */
const EARLY_MS = 30_000;

/** Access to one server with OAuth: sends the stored token, refreshes it, and logs in if a person is there. */
export class OAuthAccess implements HttpAuth {
  readonly #options: AccessOptions;
  /** The token that was sent last. */
  #sent: string | undefined;
  /** How the last token was obtained, and how often it was sent. */
  #latest: { token: string; by: "refresh" | "login"; uses: number } | undefined;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  async authorization(): Promise<string | undefined> {
    const { store, url, now } = this.#options;
    let stored = await store.read(url);
    const isOld = stored?.expires !== undefined && now() > stored.expires - EARLY_MS;
    if (isOld) stored = await this.#refresh(stored?.accessToken);
    this.#sent = stored?.accessToken;
    if (this.#latest !== undefined && this.#latest.token === this.#sent) this.#latest.uses += 1;
    return this.#sent === undefined ? undefined : `Bearer ${this.#sent}`;
  }

  async refused({
    status,
    challenge: header,
  }: {
    status: number;
    challenge: string | null;
  }): Promise<boolean> {
    const challenge = readChallenge(header);
    if (status === 401) return this.#obtain(challenge);
    if (challenge.error !== "insufficient_scope") return false;
    return this.#stepUp(challenge);
  }

  /** Logs in now, whether or not there are credentials. */
  async logIn(challenge: Challenge = {}): Promise<void> {
    const { name, url, store, page } = this.#options;
    if (page === undefined)
      throw oauthError(`${name} requires a login`, `run \`dragoman mcp login ${name}\``);
    const stored = await store.read(url);
    const credentials = await logIn({ ...this.#options, page, challenge, stored });
    await store.write(url, credentials);
    this.#setLatest(credentials.accessToken, "login");
  }

  async #obtain(challenge: Challenge): Promise<boolean> {
    const sent = this.#sent;
    const refusedAtOnce =
      this.#latest?.token === sent && this.#latest?.uses === 1 ? this.#latest.by : undefined;
    // The server refuses what the person has just obtained: asking again would not end.
    if (refusedAtOnce === "login") return false;
    const mayRefresh = sent !== undefined && refusedAtOnce === undefined;
    if (mayRefresh && (await this.#refresh(sent)) !== undefined) return true;
    await this.logIn(challenge);
    return true;
  }

  #setLatest(token: string | undefined, by: "refresh" | "login"): void {
    this.#latest = token === undefined ? undefined : { token, by, uses: 0 };
  }

  /** The server requires more access than the token has. */
  async #stepUp(challenge: Challenge): Promise<boolean> {
    const { name, url, store, page } = this.#options;
    const stored = await store.read(url);
    const granted = new Set((stored?.scope ?? "").split(" "));
    const missing = (challenge.scope ?? "").split(" ").filter((scope) => !granted.has(scope));
    if (stored === undefined || missing.length === 0) return false;
    const neededScope = joinScopes(stored.neededScope, challenge.scope);
    await store.write(url, { ...stored, ...(neededScope === undefined ? {} : { neededScope }) });
    if (page === undefined) {
      throw oauthError(
        `${name} requires more access: ${missing.join(" ")}`,
        `run \`dragoman mcp login ${name}\` to grant it`,
      );
    }
    await this.logIn(challenge);
    return true;
  }

  /** The credentials with a new token; undefined if the login has ended. `old` is the token to replace. */
  async #refresh(old: string | undefined): Promise<OAuthCredentials | undefined> {
    const { store, url, fetch, now } = this.#options;
    return store.exclusively(async () => {
      const stored = await store.read(url);
      // Another process was faster.
      if (stored?.accessToken !== undefined && stored.accessToken !== old) return stored;
      if (stored?.refreshToken === undefined) return undefined;
      const { tokenEndpoint: endpoint, client, resource, refreshToken } = stored;
      const grant = { grant_type: "refresh_token", refresh_token: refreshToken };
      const tokens = await requestTokens({ endpoint, client, grant, resource, fetch });
      const { accessToken: _, expires: __, refreshToken: ___, ...rest } = stored;
      if (tokens === undefined) {
        await store.write(url, rest);
        return undefined;
      }
      // A server that does not rotate refresh tokens sends none.
      const next = { ...rest, refreshToken, ...tokenFields(tokens, now()) };
      await store.write(url, next);
      this.#setLatest(tokens.access_token, "refresh");
      return next;
    });
  }
}
