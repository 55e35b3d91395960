import { LineSplitter } from "../../framing/lines.js";
import { entryOf } from "../entry.js";
import { idempotencyKeyOf } from "../idempotency-key.js";
import { MAX_LINE_BYTES } from "../serialise.js";
import type { Place, Position } from "../types.js";
import type { Readable } from "./backwards.js";

const BLOCK_BYTES = 256 * 1024;
/** As our own writer writes it. Other lines are not parsed. */
const FIELD = Buffer.from('"idempotencyKey"');

/** The idempotency keys in a session's file, and the place of the first message with each. Every byte is read once. */
export class StoredKeys {
  readonly #places = new Map<string, Place>();
  #position: Position = 0;

  /** Reads to a position where a line ends. */
  async readTo(file: Readable, end: Position): Promise<void> {
    const splitter = new LineSplitter({ maxLineBytes: MAX_LINE_BYTES });
    for (let at = this.#position; at < end; ) {
      const block = Buffer.alloc(Math.min(BLOCK_BYTES, end - at));
      const { bytesRead } = await file.read(block, 0, block.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      for (const { bytes } of splitter.push(block.subarray(0, bytesRead))) this.#add(bytes);
    }
  }

  find(keys: readonly string[]): Place | undefined {
    for (const key of keys) {
      const place = this.#places.get(key);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  #add(bytes: Uint8Array): void {
    const position = this.#position;
    const next = position + bytes.length + 1;
    this.#position = next;
    if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(FIELD)) return;
    const entry = entryOf({ bytes, position, next });
    const key = entry === undefined || !("message" in entry) ? undefined : idempotencyKeyOf(entry.message);
    if (key !== undefined && !this.#places.has(key)) this.#places.set(key, { position, next });
  }
}
