import type { EmbeddingOptions, EmbeddingResult } from "../../core/api/embedding-api.js";
import { DragomanError } from "../../core/error.js";
import { words } from "./words.js";

const DIMENSIONS = 256;
const MOST_DIMENSIONS = 4096;
/** How many numbers of a vector a word changes. */
const PLACES = 4;

/**
 * Vectors made from hashes of words: a text always has the same vector, of length 1, and texts with common words are
 * close. They know nothing of meaning.
 */
export function embedTexts(texts: readonly string[], options: EmbeddingOptions): EmbeddingResult {
  const { dimensions = DIMENSIONS } = options;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MOST_DIMENSIONS) {
    throw new DragomanError("model/invalid", `${dimensions} dimensions are not possible`, {
      hint: `ask for 1 to ${MOST_DIMENSIONS}`,
      details: { retryable: false },
    });
  }
  const inputTokens = texts.reduce((sum, text) => sum + words(text).length, 0);
  return { vectors: texts.map((text) => vectorOf(text, dimensions)), inputTokens };
}

function vectorOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []) {
    for (let place = 0; place < PLACES; place++) {
      const hash = hashOf(word, place);
      const at = (hash >>> 1) % dimensions;
      vector[at] = (vector[at] ?? 0) + ((hash & 1) === 0 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector);
  // A text without words, or whose words cancel out.
  if (length === 0) return vector.with(0, 1);
  // 32-bit floats, so that the vector is the same when it is sent as base64.
  return vector.map((value) => Math.fround(value / length));
}

/** FNV-1a with a final mix, so that the low bits depend on every character. */
function hashOf(word: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < word.length; index++) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
