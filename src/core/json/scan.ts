// Offsets in valid JSON text.

/** The end of the string that starts with the quote at `start`: after its closing quote. */
export function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote + 1;
}

/** An odd number of backslashes before a character escapes it: `\"`, `\\\"`, but not `\\"`. */
export function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === 0x5c) first--;
  return (at - first) % 2 === 1;
}

/** The end of the number or literal at `start`. */
export function endOfScalar(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && !isDelimiter(text.charCodeAt(end))) end++;
  return end;
}

/** The end of the object or array at `start`. */
export function endOfContainer(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const char = text.charAt(at);
    if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
    at = char === '"' ? endOfString(text, at) : at + 1;
  } while (depth > 0 && at < text.length);
  return at;
}

export function skipSpace(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next++;
  return next;
}

export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isDelimiter(code: number): boolean {
  return isSpace(code) || code === 0x2c || code === 0x5d || code === 0x7d;
}
