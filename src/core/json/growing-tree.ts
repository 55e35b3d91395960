import { type JsonObject, setOwn } from "./value.js";

type Container = unknown[] | JsonObject;

/** A JSON value under construction: one tree, changed in place, with a stack of open containers. */
export class GrowingTree {
  /** `undefined` while nothing is certain. */
  root: unknown = undefined;
  /** The key of the next value, if it is in an object. */
  key = "";
  readonly #open: Container[] = [];
  #top: Container | undefined = undefined;
  #index = 0;

  get depth(): number {
    return this.#open.length;
  }

  /** The container of the next value. */
  get inside(): "array" | "object" | "nothing" {
    if (this.#top === undefined) return "nothing";
    return Array.isArray(this.#top) ? "array" : "object";
  }

  isOpen(container: unknown): boolean {
    return this.#open.some((open) => open === container);
  }

  /** Selects the place of the next value; until the next call `put` replaces the value there. */
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

/** A string under construction. It is never inspected as a whole, because that would flatten it each time. */
export class GrowingString {
  /** The text so far, without an incomplete surrogate pair at its end. */
  certain = "";
  #pending = "";

  append(piece: string): void {
    const last = piece.charCodeAt(piece.length - 1);
    const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
    this.certain += this.#pending + (isHighSurrogate ? piece.slice(0, -1) : piece);
    this.#pending = isHighSurrogate ? piece.slice(-1) : "";
  }

  /** Returns the whole string, including a lone surrogate at its end, and starts a new one. */
  flush(): string {
    const whole = this.certain + this.#pending;
    this.certain = "";
    this.#pending = "";
    return whole;
  }
}
