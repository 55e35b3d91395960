import { parsePointer } from "./pointer.js";
import { endOfScalar, endOfString, isSpace } from "./scan.js";

/** A place in a text. Line and column count from 1, the offset from 0, all in UTF-16 units; lines end with `\n`. */
export interface TextPlace {
  line: number;
  column: number;
  offset: number;
}

export function lineAndColumn(text: string, offset: number): TextPlace {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf("\n"); end >= 0 && end < offset; end = text.indexOf("\n", lineStart)) {
    line++;
    lineStart = end + 1;
  }
  return { line, column: offset - lineStart + 1, offset };
}

/**
 * Finds where the value that a JSON pointer leads to begins in valid JSON text, or, if there is no such value, its
 * nearest ancestor. Of a repeated key the last one counts, as in `JSON.parse`. `undefined` only for an empty text.
 *
 * @example
 * locatePointer('{"a":[1,\n2]}', "/a/1"); // { line: 2, column: 1, offset: 9 }
 */
export function locatePointer(text: string, pointer: string): TextPlace | undefined {
  const offset = new PointerSearch(text, parsePointer(pointer)).run();
  return offset === undefined ? undefined : lineAndColumn(text, offset);
}

/** An open container on the way to the pointer's value, and which of its members comes next. */
interface Step {
  readonly isArray: boolean;
  index: number;
  key: string;
}

/**
 * One pass over the text. `#path` holds the open containers that lie on the pointer's way, `#depth` counts all that
 * are open: a value is a candidate when its own container is the last of the path. Each candidate replaces the one
 * before: it either lies inside it or has a repeated key.
 */
class PointerSearch {
  readonly #text: string;
  readonly #tokens: readonly string[];
  readonly #path: Step[] = [];
  #depth = 0;
  #best: number | undefined = undefined;

  constructor(text: string, tokens: readonly string[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  run(): number | undefined {
    let at = 0;
    while (at < this.#text.length) at = this.#read(at);
    return this.#best;
  }

  #read(at: number): number {
    const char = this.#text.charAt(at);
    switch (char) {
      case "{":
      case "[":
        if (this.#consider(at)) this.#path.push({ isArray: char === "[", index: 0, key: "" });
        this.#depth++;
        return at + 1;
      case "}":
      case "]":
        if (this.#path.length === this.#depth) this.#path.pop();
        this.#depth--;
        return at + 1;
      case ",": {
        const step = this.#currentStep();
        if (step !== undefined) step.index++;
        return at + 1;
      }
      case '"':
        return this.#readString(at);
    }
    if (isSpace(char.charCodeAt(0))) return at + 1;
    this.#consider(at);
    return endOfScalar(this.#text, at);
  }

  #readString(start: number): number {
    const end = endOfString(this.#text, start);
    let next = end;
    while (isSpace(this.#text.charCodeAt(next))) next++;
    if (this.#text.charAt(next) !== ":") {
      this.#consider(start);
      return end;
    }
    const step = this.#currentStep();
    if (step !== undefined) step.key = String(JSON.parse(this.#text.slice(start, end)));
    return next + 1;
  }
  /** Takes note of the value that begins at `at` if it lies on the pointer's way, and says whether it does. */
  #consider(at: number): boolean {
    if (this.#depth !== this.#path.length) return false;
    const step = this.#path.at(-1);
    if (step !== undefined) {
      const token = this.#tokens[this.#path.length - 1];
      if (token !== (step.isArray ? String(step.index) : step.key)) return false;
    }
    this.#best = at;
    return true;
  }

  /** The innermost open container, if it lies on the pointer's way. */
  #currentStep(): Step | undefined {
    return this.#depth === this.#path.length ? this.#path.at(-1) : undefined;
  }
}
