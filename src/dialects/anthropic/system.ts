import { isObject, type JsonObject } from "../../core/json/value.js";
import { type Deviation, deviations, restore } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import { isBlock } from "./wire.js";

/** A block of a system prompt: the length of its text, and its other fields. */
type Piece = Deviation & { length: number };

const BETWEEN = "\n\n";

/** Joins a prompt in blocks into one text; `pieces` describe how to split it again. */
export function readSystem(system: unknown): { prompt?: string; pieces?: Piece[] } {
  if (system === undefined) return {};
  if (typeof system === "string") return { prompt: system };
  if (!Array.isArray(system)) throw unexpected("/system", "text or a list of blocks", system);
  const texts: string[] = [];
  const pieces = system.map((block: unknown, index): Piece => {
    if (!isBlock(block)) throw unexpected(`/system/${index}`, "a text block", block);
    const { type, text, ...rest } = block;
    if (type !== "text" || typeof text !== "string")
      throw unexpected(`/system/${index}`, "a text block", block);
    texts.push(text);
    return { length: text.length, ...deviations(rest, {}) };
  });
  return pieces.length === 0 ? { pieces } : { prompt: texts.join(BETWEEN), pieces };
}

export function writeSystem(prompt: string | undefined, pieces: unknown): string | JsonObject[] | undefined {
  if (!Array.isArray(pieces) || !pieces.every(isPiece)) return prompt;
  if (prompt === undefined) return pieces.length === 0 ? [] : undefined;
  const blocks: JsonObject[] = [];
  let start = 0;
  for (const piece of pieces) {
    const end = start + piece.length;
    blocks.push(restore({ type: "text", text: prompt.slice(start, end) }, piece));
    start = end + BETWEEN.length;
  }
  // A prompt that was changed since then cannot be split.
  return start - BETWEEN.length === prompt.length ? blocks : prompt;
}

function isPiece(value: unknown): value is Piece {
  return isObject(value) && typeof value["length"] === "number";
}
