import { join } from "node:path";
import { DragomanError, wordsOf } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { parseJson } from "../../core/json/parse.js";
import { isObject } from "../../core/json/value.js";
import { SharedFile } from "../../log/files/shared-file.js";
import { Locks } from "../../log/locks/lock.js";
import type { Scope } from "../types.js";
import { isScope } from "./scope.js";
import { hashOf, looksLikeSecret, newSecret, sameHash } from "./secret.js";

/** What is known of a token; the token itself is not. */
export interface TokenEntry {
  id: string;
  name: string;
  scope: Scope;
  /** Sha-256 of the token, in hex. */
  hash: string;
  /** Unix milliseconds. */
  created: number;
  /** Unix milliseconds; from then on it is not accepted. */
  expires?: number;
  /** The agents that it may use (default: all). */
  agents?: readonly string[];
  /** To the hour or so: it is not worth a write for every request. */
  lastUsed?: number;
}

/** Who a token belongs to. */
export type Holder = Pick<TokenEntry, "id" | "name" | "scope" | "agents">;

/** What a token is limited to, beside its scope. */
export type TokenLimits = Pick<TokenEntry, "expires" | "agents">;

const LAST_USED_STEP_MS = 3_600_000;

/**
 * The tokens of a home: `tokens.json`, which holds hashes only. Other processes may add and revoke some at any time; that is
 * noticed with the next token that is shown.
 */
export class TokenStore {
  readonly path: string;
  readonly #now: () => number;
  readonly #file: SharedFile<readonly TokenEntry[]>;
  /** When a use was last written down, or could not be: once an hour is enough on a full disk too. */
  readonly #usesRecorded = new Map<string, number>();
  /** Tokens that end with this process. */
  readonly #issued: TokenEntry[] = [];

  constructor(home: string, now: () => number = Date.now) {
    const path = join(home, "tokens.json");
    this.path = path;
    this.#now = now;
    this.#file = new SharedFile<readonly TokenEntry[]>({
      path,
      locks: new Locks(join(home, "locks")),
      lock: "tokens",
      empty: [],
      parse: (text) => parseTokens(text, path),
      print: (tokens) => `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`,
      refuse: (reason, hint) => unusable(path, reason, hint),
    });
  }

  /** Those on disk. */
  list(): Promise<readonly TokenEntry[]> {
    return this.#file.read();
  }

  /** False until a token was made in this home, whether it was revoked since or not. */
  exists(): Promise<boolean> {
    return this.#file.exists();
  }

  /** Creates a token and returns it; it cannot be recovered later. */
  async create(
    name: string,
    scope: Scope,
    limits: TokenLimits = {},
  ): Promise<{ secret: string; entry: TokenEntry }> {
    const { secret, entry } = this.#make(name, scope, limits);
    await this.#file.change((tokens) => [...tokens, entry]);
    return { secret, entry };
  }

  /** Makes a token that ends with this process. */
  issue(name: string, scope: Scope, limits: TokenLimits = {}): string {
    const { secret, entry } = this.#make(name, scope, limits);
    this.#issued.push(entry);
    return secret;
  }

  /** The token of this id, or of an id that begins so, is not accepted from here on. */
  async revoke(id: string): Promise<TokenEntry> {
    const found = (await this.list()).filter((token) => token.id.startsWith(id.toUpperCase()));
    const [entry] = found;
    if (id === "" || entry === undefined || found.length > 1) {
      throw new DragomanError(
        "gateway/no-token",
        found.length > 1 ? `several tokens begin with "${id}"` : `there is no token "${id}"`,
        { hint: "`dragoman token list` lists them" },
      );
    }
    await this.#file.change((tokens) => tokens.filter((token) => token.id !== entry.id));
    return entry;
  }

  /** Whose token this is; undefined for one that is not ours, or has expired. */
  async verify(secret: string): Promise<Holder | undefined> {
    if (!looksLikeSecret(secret)) return undefined;
    const hash = hashOf(secret);
    let holder: TokenEntry | undefined;
    // All of them, so that the time it takes says nothing about where it was found.
    for (const entry of await this.#all()) if (sameHash(entry.hash, hash)) holder = entry;
    if (holder === undefined || this.#isExpired(holder)) return undefined;
    await this.#recordUse(holder);
    return holder;
  }

  /** Whether a token that was verified is still good. */
  async isValid(id: string): Promise<boolean> {
    const has = (entry: TokenEntry) => entry.id === id;
    const entry = this.#issued.find(has) ?? (await this.list()).find(has);
    return entry !== undefined && !this.#isExpired(entry);
  }

  #isExpired({ expires = Number.POSITIVE_INFINITY }: TokenEntry): boolean {
    return this.#now() >= expires;
  }

  async #all(): Promise<readonly TokenEntry[]> {
    return [...(await this.#file.read()), ...this.#issued];
  }

  #make(name: string, scope: Scope, limits: TokenLimits): { secret: string; entry: TokenEntry } {
    const secret = newSecret();
    const entry = { id: newId(), name, scope, hash: hashOf(secret), created: this.#now(), ...limits };
    return { secret, entry };
  }

  async #recordUse({ id, lastUsed = 0 }: TokenEntry): Promise<void> {
    const now = this.#now();
    const noted = Math.max(lastUsed, this.#usesRecorded.get(id) ?? 0);
    if (now - noted < LAST_USED_STEP_MS || this.#issued.some((token) => token.id === id)) return;
    this.#usesRecorded.set(id, now);
    const used = (token: TokenEntry) => (token.id === id ? { ...token, lastUsed: now } : token);
    // A token is good on a full disk too.
    await this.#file.change((tokens) => tokens.map(used)).catch(() => undefined);
  }
}

function parseTokens(text: string, path: string): TokenEntry[] {
  const value = parsed(text, path);
  const tokens = isObject(value) && value["version"] === 1 ? value["tokens"] : undefined;
  if (Array.isArray(tokens) && tokens.every(isEntry)) return tokens;
  throw unusable(path, "it does not contain tokens", "move it away; the next start makes another");
}

function parsed(text: string, path: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw unusable(path, wordsOf(error), "fix it, or move it away; the next start creates a new one");
  }
}

function unusable(path: string, reason: string, hint: string): DragomanError {
  return new DragomanError("gateway/bad-tokens", `"${path}" cannot be used: ${reason}`, { hint });
}

function isEntry(value: unknown): value is TokenEntry {
  if (!isObject(value)) return false;
  const { id, name, scope, hash, created, expires, agents, lastUsed } = value;
  return (
    typeof id === "string" &&
    typeof name === "string" &&
    isScope(scope) &&
    typeof hash === "string" &&
    /^[0-9a-f]{64}$/.test(hash) &&
    typeof created === "number" &&
    (expires === undefined || typeof expires === "number") &&
    (agents === undefined || (Array.isArray(agents) && agents.every((agent) => typeof agent === "string"))) &&
    (lastUsed === undefined || typeof lastUsed === "number")
  );
}
