/** Bytes that are appended to, with integers of seven bits per byte. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(capacity = 1024) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** What has been written, valid until more is written. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Below 2 ** 32. */
  integer(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow(5);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  append(source: Uint8Array): void {
    if (this.#length + source.length > this.#bytes.length) this.#grow(source.length);
    this.#bytes.set(source, this.#length);
    this.#length += source.length;
  }

  /** Appends a text as UTF-8; returns the number of bytes. */
  text(text: string): number {
    const most = text.length * 3;
    if (this.#length + most > this.#bytes.length) this.#grow(most);
    const count = this.#bytes.write(text, this.#length);
    this.#length += count;
    return count;
  }

  #grow(least: number): void {
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + least));
    grown.set(this.written());
    this.#bytes = grown;
  }
}

/** Reads integers written by `ByteWriter`. Past the end it reads zeros; `isDamaged` reports it. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isDamaged(): boolean {
    return this.at > this.#bytes.length;
  }

  integer(): number {
    let byte = this.#bytes[this.at++] ?? 0;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < 35; shift += 7) {
      byte = this.#bytes[this.at++] ?? 0;
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }

  skip(integers: number): void {
    for (let left = integers; left > 0 && this.at < this.#bytes.length; ) {
      if ((this.#bytes[this.at++] ?? 0) < 0x80) left -= 1;
    }
  }

  take(length: number): Uint8Array {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
}
