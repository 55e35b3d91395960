import { DragomanError } from "../error.js";

/**
 * Writes a JSON pointer (RFC 6901).
 *
 * @example
 * formatPointer(["content", 0, "a/b"]); // "/content/0/a~1b"
 */
export function formatPointer(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Appends tokens to a pointer: `joinPointer("/content", 0)` is `/content/0`. */
export function joinPointer(base: string, ...tokens: readonly (string | number)[]): string {
  return base + formatPointer(tokens);
}

/** Splits a JSON pointer into its tokens; throws `json/bad-pointer` if it is not a pointer. */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) {
    throw new DragomanError("json/bad-pointer", `a JSON pointer must be empty or start with /: ${pointer}`);
  }
  // Most pointers have one token, and splitting is slow.
  if (!pointer.includes("~"))
    return pointer.indexOf("/", 1) < 0 ? [pointer.slice(1)] : pointer.slice(1).split("/");
  if (/~(?![01])/.test(pointer)) {
    const message = `~ must be followed by 0 or 1 in a JSON pointer: ${pointer}`;
    throw new DragomanError("json/bad-pointer", message, { hint: "write ~ as ~0 and / as ~1" });
  }
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Whether a text is a pointer to a part of a value, not to the whole. */
export function isPointer(text: string): boolean {
  return text.startsWith("/") && !(text.includes("~") && /~(?![01])/.test(text));
}

/** The value at a pointer, through own properties only; `undefined` if there is none. */
export function resolvePointer(value: unknown, pointer: string): unknown {
  let found = value;
  for (const token of parsePointer(pointer)) {
    if (typeof found !== "object" || found === null) return undefined;
    if (Array.isArray(found) && !/^(?:0|[1-9]\d*)$/.test(token)) return undefined;
    if (!Object.hasOwn(found, token)) return undefined;
    found = Reflect.get(found, token);
  }
  return found;
}
