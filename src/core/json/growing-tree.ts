import { type JsonObject, setOwn } from "./value.js";

type Container = unknown[] | JsonObject;

/** A JSON value under construction: one tree, changed in place, with a stack of the containers still open. */
export class GrowingTree {
  /** `undefined` while nothing is certain. */
  root: unknown = undefined;
  /** The key under which the next value is put, if it is put into an object. */
  key = "";
  readonly #open: Container[] = [];
  #top: Container | undefined = undefined;
  #index = 0;

  get depth(): number {
    return this.#open.length;
  }

  /** What the next value is directly inside of. */
  get inside(): "array" | "object" | "nothing" {
    if (this.#top === undefined) return "nothing";
    return Array.isArray(this.#top) ? "array" : "object";
  }

  isOpen(container: unknown): boolean {
    return this.#open.some((open) => open === container);
  }

  /** Chooses the place of the next value; until the next call `put` replaces what is there. */
  begin(): void {
    if (Array.isArray(this.#top)) this.#index = this.#top.length;
  }

  put(value: unknown): void {
    if (this.#top === undefined) this.root = value;
    else if (Array.isArray(this.#top)) this.#top[this.#index] = value;
    else setOwn(this.#top, this.key, value);
  }

  open(container: Container): void {
    this.put(container);
    this.#open.push(container);
    this.#top = container;
  }

  close(): void {
    this.#open.pop();
    this.#top = this.#open.at(-1);
  }
}

/** A string under construction, at the price of what is appended: looking into the whole would flatten it every time. */
export class GrowingString {
  /** The text so far, without half a surrogate pair at its end. */
  certain = "";
  #held = "";

  append(piece: string): void {
    const last = piece.charCodeAt(piece.length - 1);
    const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
    this.certain += this.#held + (isHighSurrogate ? piece.slice(0, -1) : piece);
    this.#held = isHighSurrogate ? piece.slice(-1) : "";
  }

  /** Hands out the whole string, a lone surrogate at its end included, and starts an empty one. */
  take(): string {
    const whole = this.certain + this.#held;
    this.certain = "";
    this.#held = "";
    return whole;
  }
}
