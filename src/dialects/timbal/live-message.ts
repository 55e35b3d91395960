import { IncrementalJson } from "../../core/json/incremental.js";
import { isObject, type JsonObject } from "../../core/json/value.js";

/** A message as far as it has arrived. One object, changed in place from its first frame to its last. */
export interface TimbalMessage {
  readonly i: string;
  /** The completion time as the sender wrote it. */
  readonly t: string | undefined;
  /** The value so far; null until it is known. */
  readonly value: JsonObject | null;
  /** Invalid: its text is the start of JSON other than an object. */
  readonly state: "streaming" | "complete" | "invalid";
  /** The start frame's fields, if the message streams text; undefined if it streams an object or is complete. */
  readonly meta: JsonObject | undefined;
  /** The text appended so far, while it streams. */
  readonly text: string;
  /** The frame that completed it, including unknown fields. */
  readonly frame: JsonObject | undefined;
}

/** The cost of an append does not depend on the text before it. */
export class LiveMessage implements TimbalMessage {
  readonly i: string;
  meta: JsonObject | undefined;
  frame: JsonObject | undefined;
  text = "";
  #value: JsonObject | undefined;
  #json: IncrementalJson | undefined;
  /** The first character of an object's text that is not white space. */
  #opening: string | undefined;

  constructor(i: string) {
    this.i = i;
  }

  get t(): string | undefined {
    const t = this.frame?.["t"];
    return typeof t === "string" ? t : undefined;
  }

  get value(): JsonObject | null {
    if (this.#value !== undefined) return this.#value;
    const value = this.#json?.value;
    return isObject(value) ? value : null;
  }

  get state(): "streaming" | "complete" | "invalid" {
    if (this.frame !== undefined) return "complete";
    return this.meta === undefined && this.#opening !== undefined && this.#opening !== "{"
      ? "invalid"
      : "streaming";
  }

  start(meta: JsonObject | undefined): void {
    this.#reset();
    this.meta = meta;
    if (meta !== undefined) this.#value = { ...meta, content: "" };
  }

  append(text: string): void {
    this.text += text;
    if (this.#value !== undefined) this.#value["content"] = this.text;
    else {
      this.#json ??= new IncrementalJson();
      this.#json.push(text);
      this.#opening ??= /[^ \t\r\n]/.exec(text)?.[0];
    }
  }

  set(value: JsonObject, frame: JsonObject): void {
    this.#reset();
    this.#value = value;
    this.frame = frame;
  }

  #reset(): void {
    this.meta = undefined;
    this.frame = undefined;
    this.text = "";
    this.#value = undefined;
    this.#json = undefined;
    this.#opening = undefined;
  }
}
