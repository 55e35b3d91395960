import type { BrowserStorage } from "../../gateway/token.js";
import { readStored } from "./kept.js";

const NAME = "dragoman.drafts";

/** Unsent text per session; survives a reload. */
export class Drafts {
  readonly #storage: BrowserStorage;

  constructor(keeper: BrowserStorage) {
    this.#storage = keeper;
  }

  of(session: string): string {
    const draft = readStored(this.#storage, NAME)[session];
    return typeof draft === "string" ? draft : "";
  }

  save(session: string, text: string): void {
    const { [session]: _, ...others } = readStored(this.#storage, NAME);
    const all = text === "" ? others : { ...others, [session]: text };
    this.#storage.setItem(NAME, JSON.stringify(all));
  }

  move(from: string, to: string): void {
    const text = this.of(from);
    this.save(from, "");
    this.save(to, text);
  }
}
