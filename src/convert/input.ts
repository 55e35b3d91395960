/**
 * Half of a character that takes two UTF-16 units, without the other half. UTF-8 has no bytes for it. After a backslash
 * that escapes it, it is no JSON in any spelling, and must not become some.
 */
const HALVES = /\p{Surrogate}(?<=(?<!\\)(?:\\\\)*.)/gsu;

/** The bytes of an input. Half a character in a JSON string is written as the escape that means it. */
export function bytesOf(input: string | Uint8Array): Uint8Array {
  if (typeof input !== "string") return input;
  const text = input.replace(HALVES, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
  return new TextEncoder().encode(text);
}
