import { joinBytes, NO_BYTES } from "./bytes.js";

// Without `ignoreBOM` every call would drop a U+FEFF at the start of its piece, even within a stream.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** The text of well-formed UTF-8, or `undefined`. A byte order mark is kept. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Where malformed UTF-8 starts: the number of bytes and of UTF-16 units before it. */
export function findBadUtf8(bytes: Uint8Array): { byte: number; unit: number } | undefined {
  let byte = 0;
  let unit = 0;
  for (const char of lenient.decode(bytes)) {
    if (char === "\ufffd" && !isReplacementCharacter(bytes, byte)) return { byte, unit };
    byte += utf8Length(char);
    unit += char.length;
  }
  return undefined;
}

/** Whether the input itself contains U+FFFD there, rather than the decoder having inserted it. */
function isReplacementCharacter(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
}

function utf8Length(char: string): number {
  if (char.length === 2) return 4;
  const unit = char.charCodeAt(0);
  return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}

/**
 * Decodes UTF-8 that arrives in chunks, split anywhere; malformed bytes become U+FFFD. It keeps an unfinished last
 * character itself instead of using `{ stream: true }`, with which Node decodes ASCII at half the speed and into strings of
 * twice the size.
 */
export class Utf8Stream {
  #heldBack: Uint8Array = NO_BYTES;

  push(chunk: Uint8Array): string {
    const bytes = this.#heldBack.length === 0 ? chunk : joinBytes([this.#heldBack, chunk]);
    const end = endOfWholeCharacters(bytes);
    if (end === bytes.length) {
      this.#heldBack = NO_BYTES;
      return lenient.decode(bytes);
    }
    this.#heldBack = new Uint8Array(bytes.subarray(end));
    return end === 0 ? "" : lenient.decode(bytes.subarray(0, end));
  }

  /** The replacement for a character that the end of the input cut off. */
  finish(): string {
    const text = lenient.decode(this.#heldBack);
    this.#heldBack = NO_BYTES;
    return text;
  }
}

/** A cut before a lead byte (11xxxxxx) is always safe: a decoder starts anew there. */
function endOfWholeCharacters(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return length;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? length - back : length;
  }
  return length;
}

const FIRST_ROOM_BYTES = 4096;

/** Collects texts as UTF-8. In one joined string, a single character beyond Latin-1 would double the memory of all. */
export class Utf8Batch {
  /** The first `#length` bytes are used. The buffer stays for the next batch, which is often of similar size. */
  #bytes = new Uint8Array(FIRST_ROOM_BYTES);
  #length = 0;

  push(text: string): void {
    const { read, written } = encoder.encodeInto(text, this.#bytes.subarray(this.#length));
    this.#length += written;
    if (read === text.length) return;
    this.#grow(text.length - read);
    this.push(text.slice(read));
  }

  /** Returns a copy of the collected bytes and starts the next batch. */
  flush(): Uint8Array {
    const batch = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return batch;
  }

  /** Doubling keeps the copying linear. */
  #grow(bytes: number): void {
    const larger = new Uint8Array(2 * this.#bytes.length + bytes);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
