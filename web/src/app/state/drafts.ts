import type { Keeper } from "../../gateway/token.js";
import { readKept } from "./kept.js";

const NAME = "dragoman.drafts";

/** Unsent text per session; survives a reload. */
export class Drafts {
  readonly #keeper: Keeper;

  constructor(keeper: Keeper) {
    this.#keeper = keeper;
  }

  of(session: string): string {
    const draft = readKept(this.#keeper, NAME)[session];
    return typeof draft === "string" ? draft : "";
  }

  keep(session: string, text: string): void {
    const { [session]: _, ...others } = readKept(this.#keeper, NAME);
    const all = text === "" ? others : { ...others, [session]: text };
    this.#keeper.setItem(NAME, JSON.stringify(all));
  }

  move(from: string, to: string): void {
    const text = this.of(from);
    this.keep(from, "");
    this.keep(to, text);
  }
}
