import { DragomanError, wordsOf } from "../error.js";
import { MAX_DEPTH } from "./machine.js";
import { isTooDeep } from "./parse.js";

/**
 * `JSON.stringify` with the depth limit of `parseJson`, so that the result can be read. Throws a `DragomanError` with the code
 * `json/too-deep`, or `model/invalid` for values that JSON cannot represent.
 */
export function writeJson(value: unknown, indent?: number): string {
  const text = stringify(value, indent);
  if (!isTooDeep(value, text, MAX_DEPTH)) return text;
  const message = `arrays and objects are nested more than ${MAX_DEPTH} levels deep`;
  throw new DragomanError("json/too-deep", message, {
    hint: "no reader accepts nesting this deep; flatten it",
  });
}

function stringify(value: unknown, indent: number | undefined): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, undefined, indent);
  } catch (cause) {
    // The first line only: below it V8 draws the cycle.
    const [why] = wordsOf(cause).split("\n", 1);
    throw new DragomanError("model/invalid", `JSON cannot represent this value: ${why}`, { cause });
  }
  if (text === undefined) throw new DragomanError("model/invalid", `JSON cannot represent ${typeof value}`);
  return text;
}
