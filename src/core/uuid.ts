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
  const [a, b, c, d] = sha1(blocksOf(name));
  const third = (b & 0xffff0fff) | 0x5000;
  const fourth = (c & 0x3fffffff) | 0x80000000;
  const head = `${hexOf(a >>> 16)}${hexOf(a)}-${hexOf(third >>> 16)}-${hexOf(third)}`;
  return `${head}-${hexOf(fourth >>> 16)}-${hexOf(fourth)}${hexOf(d >>> 16)}${hexOf(d)}`;
}

const encoder = new TextEncoder();

/** The two digits of each byte: `toString(16)` is slow. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** The lower two bytes. */
function hexOf(word: number): string {
  return `${HEX[(word >>> 8) & 255]}${HEX[word & 255]}`;
}

/** The schedule of `sha1`, reused by every call. */
const words = new Int32Array(80);

/** The first four words of a SHA-1, because version 5 requires it. Web Crypto has only an asynchronous one. */
function sha1(blocks: DataView): [number, number, number, number] {
  let h0 = 0x67452301;
  let h1 = 0xefcdab89 | 0;
  let h2 = 0x98badcfe | 0;
  let h3 = 0x10325476;
  let h4 = 0xc3d2e1f0 | 0;
  for (let start = 0; start < blocks.byteLength; start += BLOCK_BYTES) {
    expandBlock(blocks, start);
    let a = h0;
    let b = h1;
    let c = h2;
    let d = h3;
    let e = h4;
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

/** For names that fit, which most do; reused by every call. */
const room = new Uint8Array(4 * BLOCK_BYTES);

/** The namespace and the name, a one bit, zeros, and the length in bits, as whole blocks. */
function blocksOf(name: string): DataView {
  // A UTF-16 unit has at most three bytes.
  const most = NAMESPACE.length + 3 * name.length + 9;
  const bytes = most <= room.length ? room : new Uint8Array(most + BLOCK_BYTES);
  bytes.set(NAMESPACE);
  const length = NAMESPACE.length + encoder.encodeInto(name, bytes.subarray(NAMESPACE.length)).written;
  const size = (((length + 8) >> 6) + 1) * BLOCK_BYTES;
  bytes.fill(0, length, size);
  bytes[length] = 0x80;
  const view = new DataView(bytes.buffer, 0, size);
  view.setUint32(size - 4, length * 8);
  return view;
}

function expandBlock(blocks: DataView, start: number): void {
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
