import { DragomanError } from "../../core/error.js";
import { parseJson } from "../../core/json/parse.js";

/** No legitimate request is nested more deeply. */
const MAX_DEPTH = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Parses untrusted JSON. Checks the depth first, because a parser would spend seconds on megabytes of brackets before it
 * found them too deep.
 */
export function boundedJson(text: string): unknown {
  if (isDeeper(text)) {
    throw new DragomanError(
      "json/too-deep",
      `arrays and objects are nested more than ${MAX_DEPTH} levels deep`,
    );
  }
  return parseJson(text, { maxDepth: MAX_DEPTH });
}

function isDeeper(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    // [ and {, ] and }: they differ in one bit.
    else if ((code & ~0x20) === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if ((code & ~0x20) === 0x5d) depth--;
  }
  return false;
}
