/** The part of the browser's `Storage` that is used here. */
export type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const NAME = "dragoman.token";
const PENDING = "dragoman.pending-token";

/** Where a token is stored: for all tabs of this browser, for one, or for one until another token is stored. */
const places = ["this-tab", "all-tabs", "shared"] as const;
export type TokenPlace = (typeof places)[number];

/** A token, and where to store it. */
export interface PlacedToken {
  text: string;
  where: TokenPlace;
}

/**
 * The token in the link that `dragoman serve` prints, `#token=dgm_…`, or in one that shares a session, `#share=dgm_…`. The latter
 * stays in its tab and does not replace the token of the other tabs.
 */
export function tokenInFragment(hash: string): PlacedToken | undefined {
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

  /** The token that this tab is signing in with: its link has left the address bar, and a reload must not lose it. */
  pending(): PlacedToken | undefined {
    const [name, text] = this.#thisTab.getItem(PENDING)?.split(" ") ?? [];
    const where = places.find((place) => place === name);
    return where === undefined || text === undefined ? undefined : { text, where };
  }

  setPending({ text, where }: PlacedToken): void {
    this.#thisTab.setItem(PENDING, `${where} ${text}`);
  }

  clearPending(): void {
    this.#thisTab.removeItem(PENDING);
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
