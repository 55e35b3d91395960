/**
 * A lone surrogate, which UTF-8 cannot encode. One that a backslash escapes is invalid JSON however it is written, and
 * must not become valid.
 */
const HALVES = /\p{Surrogate}(?<=(?<!\\)(?:\\\\)*.)/gsu;

/** The bytes of an input. A lone surrogate in a JSON string is written as its escape sequence. */
export function bytesOf(input: string | Uint8Array): Uint8Array {
  if (typeof input !== "string") return input;
  const text = input.replace(HALVES, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
  return new TextEncoder().encode(text);
}
