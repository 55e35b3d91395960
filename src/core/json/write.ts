import { DragomanError } from "../error.js";
import { MAX_DEPTH } from "./machine.js";
import { isTooDeep } from "./parse.js";

/**
 * `JSON.stringify` with the limit on depth that `parseJson` has, so that what is written can be read. What is deeper is a
 * `DragomanError` with the code `json/too-deep`, and what JSON has no words for one with the code `model/invalid`.
 */
export function writeJson(value: unknown, indent?: number): string {
  const text = stringify(value, indent);
  if (!isTooDeep(value, text, MAX_DEPTH)) return text;
  const message = `what is to be written has more than ${MAX_DEPTH} arrays and objects inside each other`;
  throw new DragomanError("json/too-deep", message, {
    hint: "no reader would take it; flatten what is so deep",
  });
}

function stringify(value: unknown, indent: number | undefined): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, undefined, indent);
  } catch (cause) {
    throw new DragomanError("model/invalid", `JSON cannot write this value: ${reason(cause)}`, { cause });
  }
  if (text === undefined) throw new DragomanError("model/invalid", `JSON cannot write ${typeof value}`);
  return text;
}

/** The first line only: V8 draws a picture of a cycle below it. */
function reason(cause: unknown): string {
  return cause instanceof Error ? (cause.message.split("\n", 1)[0] ?? cause.name) : String(cause);
}
