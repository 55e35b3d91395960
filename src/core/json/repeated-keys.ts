import { endOfString, isEscaped, isSpace, skipSpace } from "./scan.js";
import { isObject } from "./value.js";

export interface RepeatedKey {
  /** The offset of the opening quote. */
  offset: number;
  key: string;
}

const QUOTE = 0x22;

/**
 * Finds repeated keys of an object in valid JSON text, of which `JSON.parse` keeps only the last. With `value`, the parsed
 * text, most texts need not be scanned.
 *
 * @example
 * findRepeatedKeys('{"a":1,"a":2}', { a: 2 }); // [{ offset: 7, key: "a" }]
 */
export function findRepeatedKeys(text: string, value?: unknown): RepeatedKey[] {
  return colonsAfterQuotes(text) === countKeys(value) ? [] : scan(text);
}

/** One for each key, and one for each string that starts with a colon. Finding colons is faster than reading strings. */
function colonsAfterQuotes(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    let before = colon - 1;
    let code = text.charCodeAt(before);
    while (isSpace(code)) code = text.charCodeAt(--before);
    if (code === QUOTE && !isEscaped(text, before)) count++;
  }
  return count;
}

/** Recursion is safe: parsed values are not deeper than `MAX_DEPTH`. */
function countKeys(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const member of value) if (typeof member === "object") count += countKeys(member);
  } else if (isObject(value)) {
    // The objects of JSON.parse inherit nothing enumerable.
    for (const key in value) {
      count++;
      if (typeof value[key] === "object") count += countKeys(value[key]);
    }
  }
  return count;
}

function scan(text: string): RepeatedKey[] {
  const found: RepeatedKey[] = [];
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "{") open.push(new Set());
    else if (char === "}") open.pop();
    else if (char === '"') {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys !== undefined && text.charAt(skipSpace(text, end)) === ":") {
        // The same key may be written with and without escapes.
        const key: string = JSON.parse(text.slice(at, end));
        if (keys.has(key)) found.push({ offset: at, key });
        keys.add(key);
      }
      at = end - 1;
    }
  }
  return found;
}
