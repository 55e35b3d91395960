import { DragomanError } from "../error.js";
import { parseJson } from "./parse.js";
import { isObject, type JsonObject } from "./value.js";
import { unicodeEscape } from "./visible.js";

export interface ParsedArguments {
  arguments: JsonObject;
  /** Why `arguments` is empty though the text was not. */
  argumentsError?: string;
}

/**
 * Parses the arguments that a model wrote. Models write raw control characters and invalid escapes into strings; those
 * are fixed. If the result is still not an object, it is `{}` with the reason, which is reported to the model.
 */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === "") return { arguments: {} };
  const read = attempt(text);
  if (read.argumentsError === undefined) return read;
  const fixed = fixStrings(text);
  return fixed === text ? read : attempt(fixed);
}

function attempt(text: string): ParsedArguments {
  try {
    const value = parseJson(text);
    if (isObject(value)) return { arguments: value };
    return { arguments: {}, argumentsError: "the arguments are JSON, but not an object" };
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const { message, line, column } = error;
    const argumentsError = `the arguments are not JSON: ${message} (line ${line}, column ${column})`;
    return { arguments: {}, argumentsError };
  }
}

/** In strings: control characters become escapes, and a backslash that escapes nothing is doubled. */
function fixStrings(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"?/g, (string) =>
    string
      .replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g, (found) => (found === "\\" ? "\\\\" : found))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are searched for
      .replace(/[\u0000-\u001f]/g, unicodeEscape),
  );
}
