import { endOfString } from "./scan.js";

/**
 * Replaces the comments of a text with spaces, so that the rest is JSON at the same offsets.
 *
 *     withoutComments('{"a": 1} // one') // '{"a": 1}       '
 */
export function withoutComments(text: string): string {
  if (!text.includes("/")) return text;
  let result = "";
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '"' ? endOfString(text, at) : endOfComment(text, at);
    if (end === undefined) at++;
    else {
      if (text[at] === "/") {
        result += text.slice(from, at) + text.slice(at, end).replace(/[^\r\n]/g, " ");
        from = end;
      }
      at = end;
    }
  }
  return result + text.slice(from);
}

/** Undefined if no comment starts there, or if it does not end. */
function endOfComment(text: string, at: number): number | undefined {
  if (text.startsWith("//", at)) {
    const end = text.indexOf("\n", at);
    return end === -1 ? text.length : end;
  }
  const end = text.startsWith("/*", at) ? text.indexOf("*/", at + 2) : -1;
  return end === -1 ? undefined : end + 2;
}
