import { endOfString, skipSpace } from "./scan.js";

export interface RepeatedKey {
  /** The offset of the opening quote. */
  offset: number;
  key: string;
}

/**
 * Finds repeated keys of an object in valid JSON text, of which `JSON.parse` keeps only the last.
 *
 * @example
 * findRepeatedKeys('{"a":1,"a":2}'); // [{ offset: 7, key: "a" }]
 */
export function findRepeatedKeys(text: string): RepeatedKey[] {
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
