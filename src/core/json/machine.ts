import { GrowingString, GrowingTree } from "./growing-tree.js";
import {
  COLON,
  COMMA_OR_END,
  ELEMENT_OR_END,
  END,
  ESCAPE,
  INTEGER,
  KEY,
  KEY_OR_END,
  LITERAL,
  MINUS,
  NUMBER_IS_WRONG,
  nextInNumber,
  STRING,
  TOO_DEEP,
  UNICODE,
  VALUE,
  ZERO,
} from "./states.js";

/** The maximum nesting of arrays and objects. */
export const MAX_DEPTH = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

interface Literal {
  readonly word: string;
  readonly value: boolean | null;
}

const TRUE: Literal = { word: "true", value: true };
const FALSE: Literal = { word: "false", value: false };
const NULL: Literal = { word: "null", value: null };

const ESCAPES: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * A strict JSON parser that accepts the text in pieces, split anywhere, and grows one tree. It stops at the first invalid
 * character: `failed` is set, `offset` is the place of that character, and `state` is what was expected instead.
 */
export class JsonMachine {
  readonly tree = new GrowingTree();
  readonly maxDepth: number;
  state = VALUE;
  failed = false;
  /** How many characters were accepted. */
  offset = 0;
  /** In state `LITERAL`, the one being read. */
  literal = NULL;
  #spelled = 0;
  readonly #string = new GrowingString();
  #isKey = false;
  #hex = 0;
  #hexDigits = 0;
  #number = "";

  constructor(maxDepth: number) {
    this.maxDepth = maxDepth;
  }

  feed(chunk: string): void {
    let at = 0;
    while (at < chunk.length && !this.failed) at = this.#readToken(chunk, at);
    this.offset += at;
    const inString = this.state === STRING || this.state === ESCAPE || this.state === UNICODE;
    if (inString && !this.#isKey) this.tree.put(this.#string.certain);
  }

  // Each method below reads the chunk's part of one token and returns where the next token starts.

  #readToken(chunk: string, at: number): number {
    if (this.state === STRING) return this.#readString(chunk, at);
    if (this.state >= MINUS) return this.#readNumber(chunk, at);
    if (this.state === ESCAPE) return this.#readEscape(chunk, at);
    if (this.state === UNICODE) return this.#readHexDigit(chunk, at);
    if (this.state === LITERAL) return this.#readLiteral(chunk, at);
    const code = chunk.charCodeAt(at);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) return at + 1;
    return this.#readStructure(chunk.charAt(at), at);
  }

  #readStructure(char: string, at: number): number {
    switch (this.state) {
      case VALUE:
        return this.#startValue(char, at);
      case ELEMENT_OR_END:
        return char === "]" ? this.#close(at) : this.#startValue(char, at);
      case KEY:
        return char === '"' ? this.#startString(true, at) : this.#fail(at);
      case KEY_OR_END:
        if (char === "}") return this.#close(at);
        return char === '"' ? this.#startString(true, at) : this.#fail(at);
      case COLON:
        return char === ":" ? this.#accept(at, VALUE) : this.#fail(at);
      case COMMA_OR_END: {
        const inArray = this.tree.inside === "array";
        if (char === ",") return this.#accept(at, inArray ? VALUE : KEY);
        return char === (inArray ? "]" : "}") ? this.#close(at) : this.#fail(at);
      }
      default:
        return this.#fail(at);
    }
  }

  #startValue(char: string, at: number): number {
    this.tree.begin();
    switch (char) {
      case '"':
        return this.#startString(false, at);
      case "{":
        return this.#open({}, KEY_OR_END, at);
      case "[":
        return this.#open([], ELEMENT_OR_END, at);
      case "t":
        return this.#startLiteral(TRUE, at);
      case "f":
        return this.#startLiteral(FALSE, at);
      case "n":
        return this.#startLiteral(NULL, at);
      default:
        return this.#startNumber(char, at);
    }
  }

  #open(container: unknown[] | Record<string, unknown>, next: number, at: number): number {
    if (this.tree.depth >= this.maxDepth) {
      this.state = TOO_DEEP;
      return this.#fail(at);
    }
    this.tree.open(container);
    return this.#accept(at, next);
  }

  #close(at: number): number {
    this.tree.close();
    return this.#endValue(at + 1);
  }

  #startString(isKey: boolean, at: number): number {
    this.#isKey = isKey;
    return this.#accept(at, STRING);
  }

  #readString(chunk: string, start: number): number {
    let end = start;
    let code = 0;
    for (; end < chunk.length; end++) {
      code = chunk.charCodeAt(end);
      if (code === QUOTE || code === BACKSLASH || code < 0x20) break;
    }
    if (end > start) this.#string.append(chunk.slice(start, end));
    if (end === chunk.length) return end;
    if (code === BACKSLASH) return this.#accept(end, ESCAPE);
    return code === QUOTE ? this.#endString(end) : this.#fail(end);
  }

  #readEscape(chunk: string, at: number): number {
    const char = chunk.charAt(at);
    if (char === "u") {
      this.#hex = 0;
      this.#hexDigits = 0;
      return this.#accept(at, UNICODE);
    }
    const meant = ESCAPES[char];
    if (meant === undefined) return this.#fail(at);
    this.#string.append(meant);
    return this.#accept(at, STRING);
  }

  #readHexDigit(chunk: string, at: number): number {
    const digit = hexDigit(chunk.charCodeAt(at));
    if (digit < 0) return this.#fail(at);
    this.#hex = this.#hex * 16 + digit;
    this.#hexDigits++;
    if (this.#hexDigits < 4) return at + 1;
    this.#string.append(String.fromCharCode(this.#hex));
    return this.#accept(at, STRING);
  }

  #endString(at: number): number {
    const string = this.#string.flush();
    if (this.#isKey) {
      this.tree.key = string;
      return this.#accept(at, COLON);
    }
    this.tree.put(string);
    return this.#endValue(at + 1);
  }

  #startLiteral(literal: Literal, at: number): number {
    this.literal = literal;
    this.#spelled = 1;
    return this.#accept(at, LITERAL);
  }

  #readLiteral(chunk: string, at: number): number {
    const { word, value } = this.literal;
    if (chunk.charAt(at) !== word.charAt(this.#spelled)) return this.#fail(at);
    this.#spelled++;
    if (this.#spelled < word.length) return at + 1;
    this.tree.put(value);
    return this.#endValue(at + 1);
  }

  #startNumber(char: string, at: number): number {
    if (char !== "-" && (char < "0" || char > "9")) return this.#fail(at);
    this.#number = char;
    if (char === "-") return this.#accept(at, MINUS);
    return this.#accept(at, char === "0" ? ZERO : INTEGER);
  }

  #readNumber(chunk: string, start: number): number {
    let end = start;
    let next = this.state;
    for (; end < chunk.length; end++) {
      next = nextInNumber(this.state, chunk.charCodeAt(end));
      if (next < 0) break;
      this.state = next;
    }
    this.#number += chunk.slice(start, end);
    if (end === chunk.length) return end;
    if (next === NUMBER_IS_WRONG) return this.#fail(end);
    this.tree.put(Number(this.#number));
    return this.#endValue(end);
  }

  #endValue(next: number): number {
    this.state = this.tree.depth === 0 ? END : COMMA_OR_END;
    return next;
  }

  #accept(at: number, next: number): number {
    this.state = next;
    return at + 1;
  }

  #fail(at: number): number {
    this.failed = true;
    return at;
  }
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
