import { TokenStore } from "../gateway/auth/token-store.js";
import type { Scope } from "../gateway/types.js";
import { cellsAt } from "../runtime/store-address.js";

const HOUR_MS = 3_600_000;

/** If the process is killed, its token expires by itself. */
const LIFE_MS = 24 * HOUR_MS;

/** This process's token for the gateway of its home. It is created when first used. */
export class OwnToken {
  readonly #tokens: TokenStore;
  readonly #name: string;
  readonly #scope: Scope;
  /** The ids of all that were created: connections may still use one that was replaced. */
  readonly #ids: string[] = [];
  #newest: Promise<string> | undefined;
  #renewAt = 0;

  constructor(home: string, name: string, scope: Scope) {
    this.#tokens = new TokenStore(cellsAt(home));
    this.#name = name;
    this.#scope = scope;
  }

  /** A token that is valid for an hour at least. */
  async secret(): Promise<string> {
    const now = Date.now();
    if (this.#newest === undefined || now >= this.#renewAt) {
      this.#renewAt = now + LIFE_MS - HOUR_MS;
      this.#newest = this.#create(now + LIFE_MS);
    }
    return this.#newest;
  }

  /** Revokes what was created. */
  async close(): Promise<void> {
    await this.#newest?.catch(() => undefined);
    this.#newest = undefined;
    for (const id of this.#ids.splice(0)) await this.#tokens.revoke(id);
  }

  async #create(expires: number): Promise<string> {
    try {
      const { secret, entry } = await this.#tokens.create(this.#name, this.#scope, { expires });
      this.#ids.push(entry.id);
      return secret;
    } catch (error) {
      this.#newest = undefined;
      throw error;
    }
  }
}
