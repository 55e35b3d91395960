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
  const hash = sha1([...NAMESPACE, ...new TextEncoder().encode(name)]).slice(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** SHA-1, because version 5 requires it. Web Crypto has only an asynchronous one. */
function sha1(bytes: readonly number[]): number[] {
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const words = paddedWords(bytes);
  for (let start = 0; start < words.length; start += 16) addBlock(state, words.slice(start, start + 16));
  return state.flatMap((word) => [word >>> 24, (word >>> 16) & 0xff, (word >>> 8) & 0xff, word & 0xff]);
}

/** The bytes, a one bit, zeros, and the length in bits, as whole blocks of 16 words. */
function paddedWords(bytes: readonly number[]): number[] {
  const words = new Array<number>((((bytes.length + 8) >> 6) + 1) * 16).fill(0);
  const put = (at: number, byte: number) => {
    words[at >> 2] = (words[at >> 2] ?? 0) | (byte << (24 - (at & 3) * 8));
  };
  for (const [at, byte] of bytes.entries()) put(at, byte);
  put(bytes.length, 0x80);
  words[words.length - 1] = bytes.length * 8;
  return words;
}

function addBlock(state: number[], block: number[]): void {
  const words = block;
  for (let at = 16; at < 80; at++) {
    words.push(
      rotate((words[at - 3] ?? 0) ^ (words[at - 8] ?? 0) ^ (words[at - 14] ?? 0) ^ (words[at - 16] ?? 0), 1),
    );
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (const [at, word] of words.entries()) {
    const next = (rotate(a, 5) + mix(at, b, c, d) + e + word) | 0;
    [a, b, c, d, e] = [next, a, rotate(b, 30), c, d];
  }
  for (const [at, value] of [a, b, c, d, e].entries()) state[at] = ((state[at] ?? 0) + value) | 0;
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
