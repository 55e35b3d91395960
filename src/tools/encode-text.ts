import { DragomanError } from "../core/error.js";

/** UTF-8 of a text that a model gave. Half characters have none; they are refused, because writing them would change them. */
export function encodeText(text: string, parameter: string): Buffer {
  const half = text.search(/\p{Cs}/u);
  if (half === -1) return Buffer.from(text, "utf8");
  throw new DragomanError(
    "tools/not-text",
    `${parameter} has half a character (a lone surrogate) at position ${half}; it cannot be written as UTF-8`,
  );
}
