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

const EXPECTED: ReadonlyMap<number, string> = new Map([
  [VALUE, "a value"],
  [ELEMENT_OR_END, "a value or ]"],
  [KEY, "a key in double quotes"],
  [KEY_OR_END, "a key in double quotes or }"],
  [COLON, ": after the key"],
  [STRING, "the rest of the string"],
  [ESCAPE, 'one of " \\ / b f n r t u after the backslash'],
  [UNICODE, "four hexadecimal digits after \\u"],
  [MINUS, "a digit after the minus sign"],
  [POINT, "a digit after the decimal point"],
  [EXPONENT, "a digit in the exponent"],
  [EXPONENT_SIGN, "a digit in the exponent"],
]);

const AFTER_VALUE = { array: ", or ]", object: ", or }", nothing: "the end of the text" };

function expected({ state, literal, tree }: JsonMachine, found: string): string {
  if (state === LITERAL) return `the rest of ${literal.word}`;
  if (state === ZERO && found >= "0" && found <= "9") return "no digit after a leading zero";
  return EXPECTED.get(state) ?? AFTER_VALUE[tree.inside];
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ["", "the end of the text"],
  ["\n", "a line break"],
  ["\r", "a carriage return"],
  ["\t", "a tab"],
  [" ", "a space"],
  ["\ufeff", "a byte order mark"],
]);

function name(found: string): string {
  const known = NAMES.get(found);
  if (known !== undefined || !/[\p{C}\p{Z}]/u.test(found)) return known ?? found;
  return `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
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
