/** As much of the browser's storage as is needed; tests bring their own. */
export type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const NAME = "dragoman.token";

/** The token in the link that `dragoman serve` prints: `#token=dgm_…`. */
export function tokenInFragment(hash: string): string | undefined {
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  return token === null || token === "" ? undefined : token;
}

/**
 * Where this browser keeps the token. The one of the printed link is kept for all tabs, in `localStorage`: it is good only until the
 * gateway stops, so whatever else is served on the same port one day finds a key that opens nothing. One that was pasted is good
 * until somebody revokes it: it stays in its tab, in `sessionStorage`, unless its owner says otherwise. No cookie has it, since
 * browsers send cookies along with requests that other pages cause.
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

  /** Another tab was given a token: this one can use it, too. */
  onGiven(listener: () => void): void {
    addEventListener("storage", ({ key, newValue }) => {
      if (key === NAME && newValue !== null) listener();
    });
  }
}
