import { hasExactly, isObject, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";

/** A block of a system prompt: the length of its text, or the block itself if it is not text. */
type Piece = { length: number } | { block: JsonObject };

const BETWEEN = "\n\n";

/** Joins text blocks into one text; unless there is only one, `pieces` describe how to split it again. */
export function readSystem(system: unknown): { prompt?: string; pieces?: Piece[] } {
  if (system === undefined) return {};
  if (!Array.isArray(system)) throw unexpected("/system", "a list of blocks", system);
  const texts: string[] = [];
  const pieces = system.map((block: unknown, index): Piece => {
    if (!isObject(block)) throw unexpected(`/system/${index}`, "a block", block);
    if (typeof block["text"] !== "string" || !hasExactly(block, "text")) return { block };
    texts.push(block["text"]);
    return { length: block["text"].length };
  });
  const isPlain = pieces.length === 1 && texts.length === 1;
  return {
    ...(texts.length === 0 ? {} : { prompt: texts.join(BETWEEN) }),
    ...(isPlain ? {} : { pieces }),
  };
}

export function writeSystem(prompt: string | undefined, pieces: unknown): JsonObject[] | undefined {
  const plain = prompt === undefined ? undefined : [{ text: prompt }];
  if (!Array.isArray(pieces) || !pieces.every(isPiece)) return plain;
  const blocks: JsonObject[] = [];
  let start = 0;
  for (const piece of pieces) {
    if ("block" in piece) {
      blocks.push(piece.block);
      continue;
    }
    const end = start + piece.length;
    blocks.push({ text: (prompt ?? "").slice(start, end) });
    start = end + BETWEEN.length;
  }
  // A prompt that was changed since then cannot be split.
  const isWhole = prompt === undefined ? start === 0 : start - BETWEEN.length === prompt.length;
  return isWhole ? blocks : plain;
}

function isPiece(value: unknown): value is Piece {
  return isObject(value) && (typeof value["length"] === "number" || isObject(value["block"]));
}
