import { jsonIn } from "../../core/json/parse.js";
import { own, sameJson } from "../../core/json/value.js";
import { unicodeEscape } from "../../core/json/visible.js";

/** How exporters write a list as text. Python's `json` module adds spaces, and escapes what is not ASCII. */
const spellings: Record<string, (list: readonly unknown[]) => string> = {
  compact: (list) => JSON.stringify(list),
  spaced: spacedJson,
  ascii: (list) => inAscii(JSON.stringify(list)),
  "spaced ascii": (list) => inAscii(spacedJson(list)),
};

/** `[1, {"a": 2}]`: the indented form without its line breaks, which texts in it do not contain. */
function spacedJson(list: readonly unknown[]): string {
  return JSON.stringify(list, undefined, 1).replace(/(,?)\n */g, (_, comma) => (comma === "" ? "" : ", "));
}

function inAscii(json: string): string {
  return json.replace(/[^ -~]/g, unicodeEscape);
}

/** The name of the spelling that results in this text; otherwise the text. */
export function spellingOf(text: string, list: readonly unknown[]): string {
  return Object.keys(spellings).find((name) => spellings[name]?.(list) === text) ?? text;
}

/** The list in that spelling. A text that was noted is the same list, unless the list was edited. */
export function spell(list: readonly unknown[], spelling: string): string {
  const write = own(spellings, spelling);
  if (write !== undefined) return write(list);
  return sameJson(jsonIn(spelling), list) ? spelling : JSON.stringify(list);
}
