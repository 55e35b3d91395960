/** The part of the browser's `Storage` that is used here. */
export type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const NAME = "dragoman.token";

/** Where a token is stored: for all tabs of this browser, for one, or for one until another token is stored. */
export type TokenPlace = "this-tab" | "all-tabs" | "shared";

/**
 * The token in the link that `dragoman serve` prints, `#token=dgm_…`, or in one that shares a session, `#share=dgm_…`. The latter
 * stays in its tab and does not replace the token of the other tabs.
 */
export function tokenInFragment(hash: string): { text: string; where: TokenPlace } | undefined {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const [token, share] = [fields.get("token") ?? "", fields.get("share") ?? ""];
  if (token !== "") return { text: token, where: "all-tabs" };
  return share === "" ? undefined : { text: share, where: "shared" };
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

  store(token: string, where: TokenPlace): void {
    if (where !== "shared") this.clear();
    (where === "all-tabs" ? this.#allTabs : this.#thisTab).setItem(NAME, token);
  }

  clear(): void {
    this.#thisTab.removeItem(NAME);
    this.#allTabs.removeItem(NAME);
  }

  /** Removes a token that is not valid any more. Another one stays. */
  remove(token: string): void {
    for (const storage of [this.#thisTab, this.#allTabs]) {
      if (storage.getItem(NAME) === token) storage.removeItem(NAME);
    }
  }

  /** Calls back when another tab stores a token. */
  onStored(listener: () => void): void {
    addEventListener("storage", ({ key, newValue }) => {
      if (key === NAME && newValue !== null) listener();
    });
  }
}
