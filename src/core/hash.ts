const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * FNV-1a over UTF-16 units: 32 bits, the same on every machine. Not collision-resistant against chosen inputs. Another
 * `seed` gives another hash.
 *
 * @example
 * fnv1a("a"); // 0xe40c292c
 */
export function fnv1a(text: string, seed = FNV_OFFSET): number {
  let state = seed;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), FNV_PRIME);
  return state >>> 0;
}

/** `fnv1a` as eight hexadecimal digits. */
export function fnv1aHex(text: string, seed?: number): string {
  return fnv1a(text, seed).toString(16).padStart(8, "0");
}
