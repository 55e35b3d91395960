/** The part of the browser's `Storage` that is used here. */
export type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const NAME = "dragoman.token";

/** The token in the link that `dragoman serve` prints: `#token=dgm_…`. */
export function tokenInFragment(hash: string): string | undefined {
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  return token === null || token === "" ? undefined : token;
}

/**
 * Where this browser stores the token. The printed link's token is stored for all tabs, in `localStorage`: it expires when the
 * gateway stops, so that another program later served on the same port finds only an expired one. A pasted token is valid until
 * it is revoked, so it stays in its tab, in `sessionStorage`, unless the user decides otherwise. It is never in a cookie, because
 * browsers attach cookies to requests that other pages cause.
 */
export class TokenStore {
  readonly #allTabs: BrowserStorage;
  readonly #thisTab: BrowserStorage;

  constructor(allTabs: BrowserStorage, thisTab: BrowserStorage) {
    this.#allTabs = allTabs;
    this.#thisTab = thisTab;
  }

  read(): string | undefined {
    return this.#thisTab.getItem(NAME) ?? this.#allTabs.getItem(NAME) ?? undefined;
  }

  store(token: string, where: "this-tab" | "all-tabs"): void {
    this.clear();
    (where === "this-tab" ? this.#thisTab : this.#allTabs).setItem(NAME, token);
  }

  clear(): void {
    this.#thisTab.removeItem(NAME);
    this.#allTabs.removeItem(NAME);
  }

  /** Calls back when another tab stores a token. */
  onStored(listener: () => void): void {
    addEventListener("storage", ({ key, newValue }) => {
      if (key === NAME && newValue !== null) listener();
    });
  }
}
