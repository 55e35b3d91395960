import type { Paint } from "../terminal/colour.js";
import type { Completions } from "./completions.js";
import { commonStart, InputMenu, type MenuItem } from "./input-menu.js";
import { KEY } from "./keys.js";
import type { LineEditor } from "./line-editor.js";

export interface OverlayOptions {
  editor(): LineEditor;
  /** Latest first. */
  history: readonly string[];
  complete(before: string): Promise<Completions | undefined>;
  onChange(): void;
  onError(error: unknown): void;
  paint: Paint;
}

interface Search {
  query: string;
  /** The entry of the history that is shown. */
  at: number;
  draft: string;
}

const MENU_ROWS = 8;

/** What is shown above the input line and gets keys before it: completions, a choice, a search in the history. */
export class InputOverlay {
  readonly #options: OverlayOptions;
  #menu: InputMenu | undefined;
  /** The part of the text that the menu completes. */
  #span = { from: 0, to: 0 };
  #pick: ((item: MenuItem | undefined) => void) | undefined;
  #search: Search | undefined;

  constructor(options: OverlayOptions) {
    this.#options = options;
  }

  /** Lets the user choose one of the items; undefined if they choose none. */
  pick(title: string, items: readonly MenuItem[]): Promise<MenuItem | undefined> {
    this.#menu = new InputMenu(items, { title, index: 0 });
    this.#options.onChange();
    return new Promise((resolve) => {
      this.#pick = resolve;
    });
  }

  lines(size: { columns: number; rows: number }): string[] {
    const { paint } = this.#options;
    if (this.#search !== undefined) {
      const hint = size.columns < 60 ? "" : paint("dim", "  Ctrl-R for older, Ctrl-G to cancel");
      return [`${paint("cyan", "search:")} ${this.#search.query}${hint}`];
    }
    return this.#menu?.lines({ ...size, rows: Math.min(size.rows, MENU_ROWS) }, paint) ?? [];
  }

  /** Whether the key is not for the input line. */
  intercept(key: string): boolean {
    const isTaken = this.#handle(key);
    if (isTaken) this.#options.onChange();
    return isTaken;
  }

  #handle(key: string): boolean {
    if (this.#pick !== undefined) return this.#handlePick(key);
    if (this.#search !== undefined) return this.#handleSearch(this.#search, key);
    if (this.#menu !== undefined) return this.#handleMenu(this.#menu, key);
    if (key === KEY.ctrlR) {
      this.#search = { query: "", at: -1, draft: this.#options.editor().text };
      return true;
    }
    if (key !== KEY.tab) return false;
    // Keys before it may not have reached the input line yet.
    setImmediate(() => this.#complete().catch((error: unknown) => this.#options.onError(error)));
    return true;
  }

  #handlePick(key: string): boolean {
    if (this.#menu?.move(key) === true) return true;
    const ends = ([KEY.enter, KEY.escape, KEY.ctrlC, KEY.ctrlG] as string[]).includes(key);
    if (!ends) return true;
    const chosen = key === KEY.enter ? this.#menu?.marked : undefined;
    const pick = this.#pick;
    this.#pick = undefined;
    this.#menu = undefined;
    pick?.(chosen);
    return true;
  }

  #handleMenu(menu: InputMenu, key: string): boolean {
    if (menu.move(key)) {
      this.#put(menu.marked?.value ?? "");
      return true;
    }
    this.#menu = undefined;
    return (key === KEY.enter && menu.marked !== undefined) || key === KEY.escape;
  }

  async #complete(): Promise<void> {
    const editor = this.#options.editor();
    const { text, cursor } = editor;
    const found = await this.#options.complete(text.slice(0, cursor));
    // The user may have gone on typing.
    if (found === undefined || editor.text !== text || editor.cursor !== cursor) return;
    this.#span = { from: found.from, to: cursor };
    const values = found.items.map(({ value }) => value);
    const start = commonStart(values);
    if (start.length > cursor - found.from && start.startsWith(text.slice(found.from, cursor)))
      this.#put(start);
    if (values.length > 1) this.#menu = new InputMenu(found.items);
    else if (values[0] !== undefined) this.#put(values[0]);
    this.#options.onChange();
  }

  #put(value: string): void {
    this.#options.editor().replace(this.#span.from, this.#span.to, value);
    this.#span.to = this.#span.from + value.length;
  }

  #handleSearch(search: Search, key: string): boolean {
    if (key === KEY.ctrlG || key === KEY.ctrlC) {
      this.#search = undefined;
      this.#options.editor().set(search.draft);
    } else if (key === KEY.ctrlR) this.#find(search, search.at + 1);
    else if (key === KEY.backspace) {
      search.query = [...search.query].slice(0, -1).join("");
      this.#find(search, 0);
    } else if (/^\P{Cc}$/u.test(key)) {
      search.query += key;
      this.#find(search, Math.max(search.at, 0));
    } else {
      this.#search = undefined;
      return false;
    }
    return true;
  }

  #find(search: Search, from: number): void {
    const { history, editor } = this.#options;
    const query = search.query.toLowerCase();
    const at = history.findIndex((line, index) => index >= from && line.toLowerCase().includes(query));
    if (at === -1) return;
    search.at = at;
    editor().set(history[at] ?? "");
  }
}
