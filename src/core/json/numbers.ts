import { endOfScalar, endOfString } from "./scan.js";

export interface NumberLiteral {
  offset: number;
  source: string;
}

/**
 * What an inexact number must contain: 16 or more digits, an exponent of three or more digits (no other leaves the range
 * of a double while the digits are few), or a negative zero. Any other number keeps its decimal value in a double. The
 * digits are repeated in threes because V8 searches for that about twice as fast as for `[\d.]{15}`.
 */
const SUSPECT = /\d[\d.]{3}[\d.]{3}[\d.]{3}[\d.]{3}[\d.]{3}|\d[eE][+-]?\d\d\d|-0(?:[.eE,\]} \n\r\t]|$)/g;

/**
 * Finds the numbers in valid JSON text whose decimal value `JSON.parse` followed by `JSON.stringify` does not
 * preserve. Spelling does not matter: `1.0`, `1e2` and `100` are fine. `-0` is inexact, because it becomes `0`.
 *
 * @example
 * findInexactNumbers('{"id":12345678901234567890}'); // [{ offset: 6, source: "12345678901234567890" }]
 */
export function findInexactNumbers(text: string): NumberLiteral[] {
  return hasSuspect(text) ? scan(text) : [];
}

/** Also searches inside strings, which is many times faster than parsing the text. */
function hasSuspect(text: string): boolean {
  SUSPECT.lastIndex = 0;
  for (let match = SUSPECT.exec(text); match !== null; match = SUSPECT.exec(text)) {
    let start = match.index;
    while (/[-.\d]/.test(text.charAt(start - 1))) start--;
    const end = endOfScalar(text, match.index);
    if (!isExact(text.slice(start, end))) return true;
    SUSPECT.lastIndex = end;
  }
  return false;
}

function scan(text: string): NumberLiteral[] {
  const found: NumberLiteral[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') {
      at = endOfString(text, at);
    } else if (char === "-" || (char >= "0" && char <= "9")) {
      const source = text.slice(at, endOfScalar(text, at));
      if (!isExact(source)) found.push({ offset: at, source });
      at += source.length;
    } else {
      at++;
    }
  }
  return found;
}

function isExact(source: string): boolean {
  const value = Number(source);
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  if (String(value) === source) return true;
  const before = decimal(source);
  const after = decimal(String(value));
  return before.digits === after.digits && before.exponent === after.exponent;
}

/** The magnitude of a number as digits × 10^exponent, without leading and trailing zeros; zero has no digits. */
function decimal(source: string): { digits: string; exponent: number } {
  const unsigned = source.startsWith("-") ? source.slice(1) : source;
  const [mantissa = "", power = "0"] = unsigned.split(/e/i);
  const [integer = "", fraction = ""] = mantissa.split(".");
  const all = integer + fraction;
  let start = 0;
  while (all.charAt(start) === "0") start++;
  let end = all.length;
  while (end > start && all.charAt(end - 1) === "0") end--;
  if (start === end) return { digits: "", exponent: 0 };
  return { digits: all.slice(start, end), exponent: Number(power) - fraction.length + all.length - end };
}
