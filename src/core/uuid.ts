const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The namespace of ids that other programs require as UUIDs. */
const NAMESPACE = [
  0x0b, 0x8f, 0x2d, 0x6e, 0x52, 0x3c, 0x4a, 0x0d, 0x9d, 0x5a, 0x1c, 0x7e, 0x44, 0x70, 0xe6, 0x31,
];

/**
 * A UUID of version 5: the same name always gives the same one.
 *
 * @example
 * uuidFor("01J9ZK3V8Q0000000000000000"); // "ab9ba20e-6293-51bb-8214-819c31b5f0cc"
 */
export function uuidFor(name: string): string {
  const text = encoder.encode(name);
  const bytes = new Uint8Array(NAMESPACE.length + text.length);
  bytes.set(NAMESPACE);
  bytes.set(text, NAMESPACE.length);
  const [a, b, c, d] = sha1(bytes);
  const third = (b & 0xffff0fff) | 0x5000;
  const fourth = (c & 0x3fffffff) | 0x80000000;
  const hex = hexOf(a) + hexOf(third) + hexOf(fourth) + hexOf(d);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const encoder = new TextEncoder();

function hexOf(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}

/** The first four words of a SHA-1, because version 5 requires it. Web Crypto has only an asynchronous one. */
function sha1(bytes: Uint8Array): [number, number, number, number] {
  const padded = paddedBlocks(bytes);
  const words = new Int32Array(80);
  let [h0, h1, h2, h3, h4] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let start = 0; start < padded.byteLength; start += BLOCK_BYTES) {
    expandBlock(padded, start, words);
    let [a, b, c, d, e] = [h0, h1, h2, h3, h4];
    for (let round = 0; round < 80; round++) {
      const next = (rotate(a, 5) + mix(round, b, c, d) + e + (words[round] ?? 0)) | 0;
      e = d;
      d = c;
      c = rotate(b, 30);
      b = a;
      a = next;
    }
    h0 = (h0 + a) | 0;
    h1 = (h1 + b) | 0;
    h2 = (h2 + c) | 0;
    h3 = (h3 + d) | 0;
    h4 = (h4 + e) | 0;
  }
  return [h0, h1, h2, h3];
}

const BLOCK_BYTES = 64;

/** The bytes, a one bit, zeros, and the length in bits, as whole blocks. */
function paddedBlocks(bytes: Uint8Array): DataView {
  const size = (((bytes.length + 8) >> 6) + 1) * BLOCK_BYTES;
  const padded = new Uint8Array(size);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(size - 4, bytes.length * 8);
  return view;
}

function expandBlock(blocks: DataView, start: number, words: Int32Array): void {
  for (let at = 0; at < 16; at++) words[at] = blocks.getInt32(start + 4 * at);
  for (let at = 16; at < 80; at++) {
    const mixed = (words[at - 3] ?? 0) ^ (words[at - 8] ?? 0) ^ (words[at - 14] ?? 0) ^ (words[at - 16] ?? 0);
    words[at] = rotate(mixed, 1);
  }
}

/** The round function and its constant. */
function mix(round: number, b: number, c: number, d: number): number {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (round < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
