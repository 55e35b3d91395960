const FIRST_TERMS = 1 << 12;

/** Terms as bytes, numbered in the order of their first appearance. */
export class TermTable {
  count = 0;
  #bytes = new Uint8Array(1 << 16);
  /** Where each term begins; the last entry is the end. */
  #starts = new Uint32Array(FIRST_TERMS + 1);
  #hashes = new Int32Array(FIRST_TERMS);
  /** Open addressing: a term's number plus one, or 0. */
  #slots = new Int32Array(FIRST_TERMS * 2);

  /** The term's bytes, valid until another term is added. */
  bytesOf(term: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[term], this.#starts[term + 1]);
  }

  /**
   * Room behind the terms in which a tokenizer writes the next one. The bytes become a term by `commit`, without copying.
   */
  draft(length: number): { bytes: Uint8Array; at: number } {
    const at = this.#starts[this.count] ?? 0;
    if (at + length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, at + length));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
    }
    return { bytes: this.#bytes, at };
  }

  /** The number of the term whose bytes end at `end` in the draft; `hash` is `hashed` over them. */
  commit(end: number, hash: number): number {
    const bytes = this.#bytes;
    const starts = this.#starts;
    const slots = this.#slots;
    const hashes = this.#hashes;
    const mask = slots.length - 1;
    const start = starts[this.count] ?? 0;
    const length = end - start;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let entry = slots[slot] ?? 0; entry !== 0; entry = slots[slot] ?? 0) {
      const term = entry - 1;
      if (hashes[term] === hash) {
        const other = starts[term] ?? 0;
        if ((starts[entry] ?? 0) - other === length) {
          let same = 0;
          while (same < length && bytes[other + same] === bytes[start + same]) same++;
          if (same === length) return term;
        }
      }
      slot = (slot + 1) & mask;
    }
    return this.#add(slot, end, hash);
  }

  #add(slot: number, end: number, hash: number): number {
    const term = this.count++;
    this.#slots[slot] = term + 1;
    this.#hashes[term] = hash;
    this.#starts[term + 1] = end;
    if (this.count === this.#hashes.length) this.#grow();
    return term;
  }

  #grow(): void {
    const size = this.count * 2;
    const starts = new Uint32Array(size + 1);
    starts.set(this.#starts);
    const hashes = new Int32Array(size);
    hashes.set(this.#hashes);
    const slots = new Int32Array(size * 2);
    const mask = slots.length - 1;
    for (let term = 0; term < this.count; term++) {
      const hash = hashes[term] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = term + 1;
    }
    this.#starts = starts;
    this.#hashes = hashes;
    this.#slots = slots;
  }
}
