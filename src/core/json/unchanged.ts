import { isEscaped, isSpace, skipSpace } from "./scan.js";
import { isObject } from "./value.js";

const QUOTE = 0x22;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const CAPITAL_E = 0x45;
const SMALL_E = 0x65;

/** A double holds every number of so many digits, unless it has an exponent. */
const EXACT_DIGITS = 15;

/**
 * Whether `value`, the parsed text, certainly has all of it: no key is repeated, and no number is inexact. It is false for
 * some texts of which nothing is lost; `findRepeatedKeys` and `findInexactNumbers` then tell. Both read the whole text, and
 * this looks only at its colons: in most texts, every number follows one.
 */
export function isUnchanged(text: string, value: unknown): boolean {
  let keys = 0;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    let before = colon - 1;
    let code = text.charCodeAt(before);
    while (isSpace(code)) code = text.charCodeAt(--before);
    if (code !== QUOTE || isEscaped(text, before)) continue;
    keys++;
    if (!isExactAt(text, skipSpace(text, colon + 1))) return false;
  }
  // A string that starts with a colon counts as a key, so that the numbers differ.
  return keys === countKeys(value);
}

/** The number of keys in a value; NaN if it has numbers without keys. Recursion is safe: parsed values are not that deep. */
function countKeys(value: unknown): number {
  if (typeof value === "number") return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const member of value) if (typeof member !== "string") count += countKeys(member);
  } else if (isObject(value)) {
    // The objects of JSON.parse inherit nothing enumerable.
    for (const key in value) {
      count++;
      if (typeof value[key] === "object") count += countKeys(value[key]);
    }
  }
  return count;
}

/** Whether what starts there is not a number, or one of few digits. */
function isExactAt(text: string, start: number): boolean {
  const first = text.charCodeAt(start);
  if (first !== MINUS && !isDigit(first)) return true;
  // Negative zero becomes zero.
  if (first === MINUS && text.charCodeAt(start + 1) === ZERO) return false;
  let end = start + 1;
  let code = text.charCodeAt(end);
  while (isDigit(code) || code === DOT) code = text.charCodeAt(++end);
  return end - start <= EXACT_DIGITS && code !== SMALL_E && code !== CAPITAL_E;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
