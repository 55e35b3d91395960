import { parsePointer } from "./pointer.js";
import { endOfScalar, endOfString, isSpace, skipSpace } from "./scan.js";

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
 * Finds the start of a JSON pointer's value in valid JSON text or, if there is no such value, of its nearest ancestor.
 * The last of repeated keys applies, as in `JSON.parse`. `undefined` only for an empty text.
 *
 * @example
 * locatePointer('{"a":[1,\n2]}', "/a/1"); // { line: 2, column: 1, offset: 9 }
 */
export function locatePointer(text: string, pointer: string): TextPlace | undefined {
  return locatePointers(text, [pointer])[0];
}

/** The same for many pointers, in one pass. */
export function locatePointers(text: string, pointers: readonly string[]): (TextPlace | undefined)[] {
  const root = newTarget();
  const paths = pointers.map((pointer) => pathTo(root, parsePointer(pointer)));
  new PointerSearch(text, root).run();
  const lineStarts = pointers.length > 1 ? startsOfLines(text) : undefined;
  return paths.map((path) => {
    const offset = path.findLast((target) => target.offset !== undefined)?.offset;
    if (offset === undefined) return undefined;
    return lineStarts === undefined ? lineAndColumn(text, offset) : lineIn(lineStarts, offset);
  });
}

/** A value on the path of some pointer, and its start once it is found. */
interface Target {
  offset: number | undefined;
  readonly children: Map<string, Target>;
}

function newTarget(): Target {
  return { offset: undefined, children: new Map() };
}

function pathTo(root: Target, tokens: readonly string[]): Target[] {
  const path = [root];
  let last = root;
  for (const token of tokens) {
    const next = last.children.get(token) ?? newTarget();
    last.children.set(token, next);
    path.push(next);
    last = next;
  }
  return path;
}

function startsOfLines(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return starts;
}

function lineIn(starts: readonly number[], offset: number): TextPlace {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1, offset };
}

/** An open container on the path to a target, and its next member. */
interface Step {
  readonly target: Target;
  readonly isArray: boolean;
  index: number;
  key: string;
}

/**
 * One pass over the text. `#path` has the open containers on a pointer's path, `#depth` counts all open ones: a value is
 * a candidate if its container is the last of the path. A later candidate has a repeated key and replaces the earlier one.
 */
class PointerSearch {
  readonly #text: string;
  readonly #root: Target;
  readonly #path: Step[] = [];
  #depth = 0;

  constructor(text: string, root: Target) {
    this.#text = text;
    this.#root = root;
  }

  run(): void {
    let at = 0;
    while (at < this.#text.length) at = this.#read(at);
  }

  #read(at: number): number {
    const char = this.#text.charAt(at);
    switch (char) {
      case "{":
      case "[": {
        const target = this.#consider(at);
        if (target !== undefined) this.#path.push({ target, isArray: char === "[", index: 0, key: "" });
        this.#depth++;
        return at + 1;
      }
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
    const next = skipSpace(this.#text, end);
    if (this.#text.charAt(next) !== ":") {
      this.#consider(start);
      return end;
    }
    const step = this.#currentStep();
    if (step !== undefined) step.key = String(JSON.parse(this.#text.slice(start, end)));
    return next + 1;
  }

  /** Notes the value that starts at `at` if it is on a pointer's path. */
  #consider(at: number): Target | undefined {
    if (this.#depth !== this.#path.length) return undefined;
    const step = this.#path.at(-1);
    const target =
      step === undefined
        ? this.#root
        : step.target.children.get(step.isArray ? String(step.index) : step.key);
    if (target === undefined) return undefined;
    if (target.offset !== undefined) forget(target);
    target.offset = at;
    return target;
  }

  /** The innermost open container, if it is on a pointer's path. */
  #currentStep(): Step | undefined {
    return this.#depth === this.#path.length ? this.#path.at(-1) : undefined;
  }
}

function forget(target: Target): void {
  target.offset = undefined;
  for (const child of target.children.values()) forget(child);
}
