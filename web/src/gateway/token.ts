/** The part of the browser's `Storage` that is used here. */
export type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem">;

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
export class TokenKeeper {
  readonly #allTabs: Keeper;
  readonly #thisTab: Keeper;

  constructor(allTabs: Keeper, thisTab: Keeper) {
    this.#allTabs = allTabs;
    this.#thisTab = thisTab;
  }

  read(): string | undefined {
    return this.#thisTab.getItem(NAME) ?? this.#allTabs.getItem(NAME) ?? undefined;
  }

  keep(token: string, where: "this-tab" | "all-tabs"): void {
    this.forget();
    (where === "this-tab" ? this.#thisTab : this.#allTabs).setItem(NAME, token);
  }

  forget(): void {
    this.#thisTab.removeItem(NAME);
    this.#allTabs.removeItem(NAME);
  }

  /** Calls back when another tab stores a token. */
  onGiven(listener: () => void): void {
    addEventListener("storage", ({ key, newValue }) => {
      if (key === NAME && newValue !== null) listener();
    });
  }
}
