import type { JsonObject } from "../../core/json/value.js";

/** A frame for many clients, serialised once for each of the two kinds of connection. */
export class SharedFrame {
  readonly #text: string;
  readonly #stream: string;
  #plain: Uint8Array | undefined;
  #named: Uint8Array | undefined;

  constructor(frame: JsonObject, stream: string) {
    this.#text = JSON.stringify(frame);
    this.#stream = stream;
  }

  /** On a multiplexed connection it names the stream: `{"s":"550e8400-…","i":…}`. */
  bytes(multiplexed: boolean): Uint8Array {
    if (!multiplexed) {
      this.#plain ??= Buffer.from(this.#text);
      return this.#plain;
    }
    this.#named ??= Buffer.from(`{"s":${JSON.stringify(this.#stream)},${this.#text.slice(1)}`);
    return this.#named;
  }
}
