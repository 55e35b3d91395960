import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DragomanError, wordsOf } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { parseJson } from "../../core/json/parse.js";
import { isObject } from "../../core/json/value.js";
import { systemCode, writeFailure } from "../../log/disk-error.js";
import { makeFolder, syncFolder } from "../../log/folder.js";
import { Locks } from "../../log/lock.js";
import { writeWhole } from "../../log/whole-file.js";
import { isScope } from "../scope.js";
import type { Scope } from "../types.js";
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
  /** To the hour or so: it is not worth a write for every request. */
  lastUsed?: number;
}

/** Who a token belongs to. */
export type Holder = Pick<TokenEntry, "id" | "name" | "scope">;

const LAST_USED_STEP_MS = 3_600_000;
const LOCK = "tokens";

interface Stamp {
  inode: number;
  modified: number;
  size: number;
}

/**
 * The tokens of a home: `tokens.json`, which holds hashes only. Other processes may add and revoke some at any time; that is
 * noticed with the next token that is shown.
 */
export class TokenStore {
  readonly path: string;
  readonly #home: string;
  readonly #now: () => number;
  readonly #locks: Locks;
  /** Tokens that end with this process. */
  readonly #issued: TokenEntry[] = [];
  #stored: readonly TokenEntry[] = [];
  #stamp: Stamp | undefined;

  constructor(home: string, now: () => number = Date.now) {
    this.#home = home;
    this.path = join(home, "tokens.json");
    this.#now = now;
    this.#locks = new Locks(join(home, "locks"));
  }

  /** Those on disk. */
  async list(): Promise<readonly TokenEntry[]> {
    await this.#refresh();
    return this.#stored;
  }

  /** False until a token was made in this home, whether it was revoked since or not. */
  async exists(): Promise<boolean> {
    await this.#refresh();
    return this.#stamp !== undefined;
  }

  /** Makes a token, and returns it: nobody can tell it later. */
  async create(name: string, scope: Scope): Promise<{ secret: string; entry: TokenEntry }> {
    const { secret, entry } = this.#make(name, scope);
    await this.#change((tokens) => [...tokens, entry]);
    return { secret, entry };
  }

  /** Makes a token that ends with this process. */
  issue(name: string, scope: Scope): string {
    const { secret, entry } = this.#make(name, scope);
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
    await this.#change((tokens) => tokens.filter((token) => token.id !== entry.id));
    return entry;
  }

  /** Whose token this is; undefined for none of ours. */
  async verify(secret: string): Promise<Holder | undefined> {
    if (!looksLikeSecret(secret)) return undefined;
    await this.#refresh();
    const hash = hashOf(secret);
    let holder: TokenEntry | undefined;
    // All of them, so that the time it takes says nothing about where it was found.
    for (const entry of this.#all()) if (sameHash(entry.hash, hash)) holder = entry;
    if (holder !== undefined) await this.#noteUse(holder);
    return holder;
  }

  /** Whether a token that was verified is still good. */
  async isValid(id: string): Promise<boolean> {
    await this.#refresh();
    return this.#all().some((entry) => entry.id === id);
  }

  #all(): readonly TokenEntry[] {
    return [...this.#stored, ...this.#issued];
  }

  #make(name: string, scope: Scope): { secret: string; entry: TokenEntry } {
    const secret = newSecret();
    return { secret, entry: { id: newId(), name, scope, hash: hashOf(secret), created: this.#now() } };
  }

  async #noteUse({ id, lastUsed = 0 }: TokenEntry): Promise<void> {
    const now = this.#now();
    if (now - lastUsed < LAST_USED_STEP_MS || this.#issued.some((token) => token.id === id)) return;
    const used = (token: TokenEntry) => (token.id === id ? { ...token, lastUsed: now } : token);
    this.#stored = this.#stored.map(used);
    // A token is good on a full disk too.
    await this.#change((tokens) => tokens.map(used)).catch(() => undefined);
  }

  async #change(edit: (tokens: readonly TokenEntry[]) => readonly TokenEntry[]): Promise<void> {
    try {
      await makeFolder(this.#home);
      await this.#locks.take(LOCK);
    } catch (error) {
      throw writeFailure(this.path, error);
    }
    try {
      await this.#refresh();
      await this.#write(edit(this.#stored));
      await this.#refresh();
    } finally {
      await this.#locks.release(LOCK);
    }
  }

  async #write(tokens: readonly TokenEntry[]): Promise<void> {
    try {
      await writeWhole(this.path, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`);
      await syncFolder(this.#home);
    } catch (error) {
      throw writeFailure(this.path, error);
    }
  }

  async #refresh(): Promise<void> {
    const stamp = await stampOf(this.path);
    if (stamp === undefined) {
      this.#stored = [];
      this.#stamp = undefined;
      return;
    }
    const seen = this.#stamp;
    if (seen?.inode === stamp.inode && seen.modified === stamp.modified && seen.size === stamp.size) return;
    this.#stored = parseTokens(await readFile(this.path, "utf8"), this.path);
    this.#stamp = stamp;
  }
}

async function stampOf(path: string): Promise<Stamp | undefined> {
  try {
    const { ino, mtimeMs, size, mode } = await stat(path);
    if (process.platform !== "win32" && (mode & 0o022) !== 0) {
      throw unusable(path, "others may write to it", `chmod 600 "${path}", and look whose tokens are in it`);
    }
    return { inode: ino, modified: mtimeMs, size };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function parseTokens(text: string, path: string): TokenEntry[] {
  const value = parsed(text, path);
  const tokens = isObject(value) && value["version"] === 1 ? value["tokens"] : undefined;
  if (Array.isArray(tokens) && tokens.every(isEntry)) return tokens;
  throw unusable(path, "it holds something else than tokens", "move it away; the next start makes another");
}

function parsed(text: string, path: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw unusable(path, wordsOf(error), "mend it, or move it away; the next start makes another");
  }
}

function unusable(path: string, reason: string, hint: string): DragomanError {
  return new DragomanError("gateway/bad-tokens", `"${path}" cannot be used: ${reason}`, { hint });
}

function isEntry(value: unknown): value is TokenEntry {
  if (!isObject(value)) return false;
  const { id, name, scope, hash, created, lastUsed } = value;
  return (
    typeof id === "string" &&
    typeof name === "string" &&
    isScope(scope) &&
    typeof hash === "string" &&
    /^[0-9a-f]{64}$/.test(hash) &&
    typeof created === "number" &&
    (lastUsed === undefined || typeof lastUsed === "number")
  );
}
