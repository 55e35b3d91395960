import { DragomanError } from "../core/error.js";

/** A model's text as UTF-8. Lone surrogates are refused, because writing would change them. */
export function encodeText(text: string, parameter: string): Buffer {
  const half = text.search(/\p{Cs}/u);
  if (half === -1) return Buffer.from(text, "utf8");
  throw new DragomanError(
    "tools/not-text",
    `${parameter} has half a character (a lone surrogate) at position ${half}; it cannot be written as UTF-8`,
  );
}
