import type { DragomanError } from "../error.js";
import { JsonMachine, MAX_DEPTH } from "./machine.js";
import { parseJson } from "./parse.js";
import { explain } from "./syntax-error.js";

/**
 * JSON that arrives in pieces, such as the arguments of a tool call. `push` only queues; reading `value` parses what was
 * pushed since the last read, so that unread values cost nothing.
 *
 * A partial value is always a prefix of the final one: strings grow, arrays and objects gain members, numbers and
 * literals appear when complete. The exception is a repeated key, which replaces the earlier member.
 *
 * @example
 * const json = new IncrementalJson();
 * json.push('{"city":"Par');
 * json.value; // { city: "Par" }
 * json.push('is"}');
 * json.finish(); // { city: "Paris" }
 */
export class IncrementalJson {
  readonly #machine: JsonMachine;
  /** Both texts are ropes: only appended to. */
  #read = "";
  #queued = "";
  #finished: { readonly value: unknown } | undefined = undefined;
  #error: DragomanError | undefined = undefined;

  constructor(options: { maxDepth?: number } = {}) {
    this.#machine = new JsonMachine(options.maxDepth ?? MAX_DEPTH);
  }

  push(delta: string): void {
    this.#queued += delta;
    this.#finished = undefined;
  }

  /** All the text so far. */
  get text(): string {
    return this.#read + this.#queued;
  }

  /** The value so far, `undefined` before there is one. While it grows it is one object, changed in place. */
  get value(): unknown {
    if (this.#finished !== undefined) return this.#finished.value;
    this.#readQueued();
    return this.#machine.tree.root;
  }

  /** Why the text is not JSON; `value` then stays as it was before the error. */
  get error(): DragomanError | undefined {
    this.#readQueued();
    if (this.#machine.failed) this.#error ??= explain(this.#machine, this.text);
    return this.#error;
  }

  /** Parses the whole text with `parseJson`. From then on `value` is this result. */
  finish(): unknown {
    this.#finished ??= { value: parseJson(this.text, { maxDepth: this.#machine.maxDepth }) };
    return this.#finished.value;
  }

  #readQueued(): void {
    if (this.#queued === "") return;
    this.#machine.feed(this.#queued);
    this.#read += this.#queued;
    this.#queued = "";
  }
}
