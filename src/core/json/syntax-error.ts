import { DragomanError, type DragomanErrorOptions } from "../error.js";
import { lineAndColumn } from "./locate.js";
import type { JsonMachine } from "./machine.js";
import {
  COLON,
  ELEMENT_OR_END,
  ESCAPE,
  EXPONENT,
  EXPONENT_SIGN,
  KEY,
  KEY_OR_END,
  LITERAL,
  MINUS,
  POINT,
  STRING,
  TOO_DEEP,
  UNICODE,
  VALUE,
  ZERO,
} from "./states.js";

/** The error for a `machine` that read `text` and failed, or needs more text. */
export function explain(machine: JsonMachine, text: string, firstLine = 1, cause?: unknown): DragomanError {
  const { line, column } = lineAndColumn(text, machine.offset);
  const options: DragomanErrorOptions = { line: firstLine + line - 1, column, cause };
  if (machine.state === TOO_DEEP) {
    const message = `arrays and objects are nested more than ${machine.maxDepth} levels deep`;
    return new DragomanError("json/too-deep", message, options);
  }
  const codePoint = text.codePointAt(machine.offset);
  const found = codePoint === undefined ? "" : String.fromCodePoint(codePoint);
  const hint = found === "" ? hintAtEnd(machine, text) : hintFor(machine, found);
  if (hint !== undefined) options.hint = hint;
  return new DragomanError(
    "json/syntax",
    `expected ${expected(machine, found)}, found ${name(found)}`,
    options,
  );
}

function expected(machine: JsonMachine, found: string): string {
  switch (machine.state) {
    case VALUE:
      return "a value";
    case ELEMENT_OR_END:
      return "a value or ]";
    case KEY:
      return "a key in double quotes";
    case KEY_OR_END:
      return "a key in double quotes or }";
    case COLON:
      return ": after the key";
    case STRING:
      return "the rest of the string";
    case ESCAPE:
      return 'one of " \\ / b f n r t u after the backslash';
    case UNICODE:
      return "four hexadecimal digits after \\u";
    case LITERAL:
      return `the rest of ${machine.literal.word}`;
    case MINUS:
      return "a digit after the minus sign";
    case POINT:
      return "a digit after the decimal point";
    case EXPONENT:
    case EXPONENT_SIGN:
      return "a digit in the exponent";
    case ZERO:
      return found >= "0" && found <= "9" ? "no digit after a leading zero" : expectedAfterValue(machine);
    default:
      return expectedAfterValue(machine);
  }
}

function expectedAfterValue(machine: JsonMachine): string {
  switch (machine.tree.inside) {
    case "array":
      return ", or ]";
    case "object":
      return ", or }";
    case "nothing":
      return "the end of the text";
  }
}

function name(found: string): string {
  switch (found) {
    case "":
      return "the end of the text";
    case "\n":
      return "a line break";
    case "\r":
      return "a carriage return";
    case "\t":
      return "a tab";
    case " ":
      return "a space";
    case "\ufeff":
      return "a byte order mark";
  }
  const isVisible = !/[\p{C}\p{Z}]/u.test(found);
  return isVisible ? found : `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function hintAtEnd(machine: JsonMachine, text: string): string {
  switch (machine.state) {
    case STRING:
    case ESCAPE:
    case UNICODE:
      return "the text ends inside a string: it was probably cut off";
    case VALUE:
      if (text.trim() === "") return "the text is empty";
  }
  return "the text ends before the value does: it was probably cut off";
}

function hintFor(machine: JsonMachine, found: string): string | undefined {
  if (found === "\ufeff") return "remove the byte order mark";
  if (found === "/" && machine.state !== ESCAPE) return "JSON has no comments";
  switch (machine.state) {
    case KEY:
      return found === "}" ? TRAILING_COMMA : hintForKey(found);
    case KEY_OR_END:
      return hintForKey(found);
    case VALUE:
      if (found === "]" && machine.tree.inside === "array") return TRAILING_COMMA;
      return VALUE_HINTS.get(found);
    case ELEMENT_OR_END:
    case MINUS:
      return VALUE_HINTS.get(found);
    case STRING:
      return CONTROL_HINTS.get(found) ?? "write it as \\u and four hexadecimal digits";
    case ESCAPE:
      return "write a literal backslash as \\\\";
    case ZERO:
      return "remove the leading zero";
    default:
      return undefined;
  }
}

function hintForKey(found: string): string | undefined {
  if (found === "'") return USE_DOUBLE_QUOTES;
  return /[\p{L}\p{N}_$]/u.test(found) ? "put the key in double quotes" : undefined;
}

const TRAILING_COMMA = "remove the comma before it";
const USE_DOUBLE_QUOTES = "use double quotes instead of single quotes";

const VALUE_HINTS: ReadonlyMap<string, string> = new Map([
  ["'", USE_DOUBLE_QUOTES],
  ["N", "JSON has null, but neither NaN nor None"],
  ["I", "JSON has no Infinity"],
  ["u", "JSON has no undefined: write null"],
  ["T", "write true in lower case"],
  ["F", "write false in lower case"],
  ["+", "a number has no plus sign"],
  [".", "write a digit before the decimal point"],
]);

const CONTROL_HINTS: ReadonlyMap<string, string> = new Map([
  ["\n", "write it as \\n"],
  ["\r", "write it as \\r"],
  ["\t", "write it as \\t"],
]);
