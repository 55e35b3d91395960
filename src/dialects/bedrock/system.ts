import { isObject, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";
import { hasExactly } from "./wire.js";

/** A block of a system prompt: the length of its text in the prompt, or what it is if it is not text. */
type Piece = { length: number } | { block: JsonObject };

const BETWEEN = "\n\n";

/** The blocks of text become one text; the pieces record how to cut it again, if there is not exactly one. */
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
  // A prompt that was changed since cannot be cut any more.
  const isWhole = prompt === undefined ? start === 0 : start - BETWEEN.length === prompt.length;
  return isWhole ? blocks : plain;
}

function isPiece(value: unknown): value is Piece {
  return isObject(value) && (typeof value["length"] === "number" || isObject(value["block"]));
}
