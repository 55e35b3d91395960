import { DragomanError } from "../error.js";
import { isNumber } from "../json/value.js";
import { unexpected } from "../records/unexpected.js";

const CHUNK = 8192;

/**
 * A vector as base64 of little-endian 32-bit floats, as OpenAI encodes it.
 *
 * @example
 * encodeVector([1, 0.5]); // "AACAPwAAAD8="
 */
export function encodeVector(vector: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  for (const [index, value] of vector.entries()) view.setFloat32(index * 4, value, true);
  const bytes = new Uint8Array(view.buffer);
  let binary = "";
  // A call has a limited number of arguments.
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

/** The vector in such a text; undefined if it is none. */
export function decodeVector(base64: string): number[] | undefined {
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    return undefined;
  }
  if (binary.length % 4 !== 0) return undefined;
  const view = new DataView(new ArrayBuffer(binary.length));
  for (let index = 0; index < binary.length; index++) view.setUint8(index, binary.charCodeAt(index));
  return Array.from({ length: binary.length / 4 }, (_, index) => view.getFloat32(index * 4, true));
}

/** A vector in a provider's answer; throws `provider/bad-response` with its place. */
export function readVector(value: unknown, at: string): readonly number[] {
  const vector = typeof value === "string" ? decodeVector(value) : value;
  if (Array.isArray(vector) && vector.every(isNumber)) return vector;
  throw badVectors(`expected a list of numbers at ${at}`);
}

export function badVectors(message: string): DragomanError {
  return new DragomanError("provider/bad-response", message, { details: { retryable: false } });
}

/** The length of vectors that a request asks for. */
export function readDimensions(value: unknown, at: string): { dimensions?: number } {
  if (value === undefined || value === null) return {};
  if (isNumber(value) && Number.isInteger(value) && value > 0) return { dimensions: value };
  throw unexpected(at, "a whole number above 0", value);
}

/** A count of tokens in an answer; nothing if the answer has none. */
export function readInputTokens(value: unknown): { inputTokens?: number } {
  return isNumber(value) && value >= 0 ? { inputTokens: value } : {};
}
