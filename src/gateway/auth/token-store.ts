import { DragomanError, wordsOf } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { defined } from "../../core/json/defined.js";
import { parseJson } from "../../core/json/parse.js";
import { isObject } from "../../core/json/value.js";
import type { Cell, Store } from "../../log/store.js";
import { type Budget, isBudget } from "../../runtime/usage/budget.js";
import type { Scope } from "../types.js";
import { isScope } from "./scope.js";
import { hashOf, looksLikeSecret, newSecret, sameHash } from "./secret.js";

/** What is stored about a token; the token itself is not. */
export interface TokenEntry {
  id: string;
  name: string;
  scope: Scope;
  /** Sha-256 of the token, in hex. */
  hash: string;
  /** Unix milliseconds. */
  created: number;
  /** Unix milliseconds. */
  expires?: number;
  /** The agents that it may use (default: all). */
  agents?: readonly string[];
  /** The id of the only session that it may read (default: not limited to one). */
  session?: string;
  /** What its calls may cost (default: unlimited). */
  budget?: Budget;
  /** How many requests it may make (default: `gateway.limits.requestsPerMinute`). */
  requestsPerMinute?: number;
  /** Accurate to about an hour, to avoid a write for every request. */
  lastUsed?: number;
}

/** A token's holder. */
export type Holder = Pick<
  TokenEntry,
  "id" | "name" | "scope" | "agents" | "session" | "budget" | "requestsPerMinute"
>;

/** A token's limits besides its scope. */
export type TokenLimits = Pick<TokenEntry, "expires" | "agents" | "session" | "budget" | "requestsPerMinute">;

/** Limits to change; null removes one. */
export interface LimitChanges {
  budget?: Budget | null | undefined;
  requestsPerMinute?: number | null | undefined;
}

const LAST_USED_STEP_MS = 3_600_000;

/**
 * A home's tokens: `tokens.json`, which contains only hashes. Other processes may add and revoke tokens at any time; every
 * check notices.
 */
export class TokenStore {
  readonly path: string;
  readonly #now: () => number;
  readonly #file: Cell<readonly TokenEntry[]>;
  /** When a use was last written, or failed to be: also on a full disk, once an hour is enough. */
  readonly #usesRecorded = new Map<string, number>();
  /** Tokens that end with this process. */
  readonly #issued: TokenEntry[] = [];

  constructor(store: Pick<Store, "cell">, now: () => number = Date.now) {
    this.#now = now;
    this.#file = store.cell<readonly TokenEntry[]>("tokens", {
      empty: [],
      parse: parseTokens,
      print: (tokens) => `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`,
      refuse: unusable,
    });
    this.path = this.#file.where;
  }

  /** The tokens on disk. */
  list(): Promise<readonly TokenEntry[]> {
    return this.#file.read();
  }

  /** False until the home's first token is created; true even if it was revoked. */
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

  /** Creates a token that ends with this process. */
  issue(name: string, scope: Scope, limits: TokenLimits = {}): string {
    const { secret, entry } = this.#make(name, scope, limits);
    this.#issued.push(entry);
    return secret;
  }

  /** Revokes a token by its id or a unique prefix of it. */
  async revoke(id: string): Promise<TokenEntry> {
    const entry = await this.#find(id, []);
    await this.#file.change((tokens) => tokens.filter((token) => token.id !== entry.id));
    return entry;
  }

  /** Changes the limits of a token, by its id, a unique prefix of it, or its name. A running gateway applies them at once. */
  async limit(name: string, { budget, requestsPerMinute }: LimitChanges): Promise<TokenEntry> {
    const named = (await this.list()).filter((token) => token.name === name);
    const { id } = await this.#find(name, named);
    const changed = (token: TokenEntry): TokenEntry => {
      const { budget: oldBudget, requestsPerMinute: oldRate, ...rest } = token;
      return {
        ...rest,
        ...defined({
          budget: (budget === undefined ? oldBudget : budget) ?? undefined,
          requestsPerMinute: (requestsPerMinute === undefined ? oldRate : requestsPerMinute) ?? undefined,
        }),
      };
    };
    await this.#file.change((tokens) => tokens.map((token) => (token.id === id ? changed(token) : token)));
    return this.#find(id, []);
  }

  /** The budget of a token; undefined if it has none. */
  async budgetOf(id: string): Promise<Budget | undefined> {
    return (await this.#all()).find((token) => token.id === id)?.budget;
  }

  /** The only one of `named`, or the only one whose id begins with the text. */
  async #find(text: string, named: readonly TokenEntry[]): Promise<TokenEntry> {
    const found =
      named.length > 0
        ? named
        : (await this.list()).filter((token) => token.id.startsWith(text.toUpperCase()));
    const [entry] = found;
    if (text !== "" && entry !== undefined && found.length === 1) return entry;
    const many = named.length > 0 ? "are called" : "begin with";
    throw new DragomanError(
      "gateway/no-token",
      found.length > 1 ? `several tokens ${many} "${text}"` : `there is no token "${text}"`,
      { hint: "`dragoman token list` lists them" },
    );
  }

  /** The token's holder; undefined if the token is unknown or has expired. */
  async verify(secret: string): Promise<Holder | undefined> {
    if (!looksLikeSecret(secret)) return undefined;
    const hash = hashOf(secret);
    let holder: TokenEntry | undefined;
    // Compares with all of them, so that the time does not reveal where it was found.
    for (const entry of await this.#all()) if (sameHash(entry.hash, hash)) holder = entry;
    if (holder === undefined || this.#isExpired(holder)) return undefined;
    await this.#recordUse(holder);
    return holder;
  }

  /** Whether a verified token is still valid. */
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
    // A token is valid on a full disk too.
    await this.#file.change((tokens) => tokens.map(used)).catch(() => undefined);
  }
}

function parseTokens(text: string, path: string): TokenEntry[] {
  const value = parsed(text, path);
  const tokens = isObject(value) && value["version"] === 1 ? value["tokens"] : undefined;
  if (Array.isArray(tokens) && tokens.every(isEntry)) return tokens;
  throw unusable(path, "it does not contain tokens", "move it away; the next start creates a new one");
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
  const { id, name, scope, hash, created, expires, agents, session, budget, requestsPerMinute, lastUsed } =
    value;
  return (
    typeof id === "string" &&
    typeof name === "string" &&
    isScope(scope) &&
    typeof hash === "string" &&
    /^[0-9a-f]{64}$/.test(hash) &&
    typeof created === "number" &&
    (expires === undefined || typeof expires === "number") &&
    (agents === undefined || (Array.isArray(agents) && agents.every((agent) => typeof agent === "string"))) &&
    (session === undefined || typeof session === "string") &&
    (budget === undefined || isBudget(budget)) &&
    (requestsPerMinute === undefined || (typeof requestsPerMinute === "number" && requestsPerMinute >= 1)) &&
    (lastUsed === undefined || typeof lastUsed === "number")
  );
}
