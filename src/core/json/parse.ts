import { DragomanError } from "../error.js";
import { JsonMachine, MAX_DEPTH } from "./machine.js";
import { explain } from "./syntax-error.js";
import { isObject } from "./value.js";

export interface ParseOptions {
  /** The line number of the text's first line, for errors (default: 1). */
  line?: number;
  /** The maximum nesting of arrays and objects (default: `MAX_DEPTH`). */
  maxDepth?: number;
}

/**
 * `JSON.parse` with a depth limit and precise errors: a `DragomanError` with the code `json/syntax` or `json/too-deep`.
 *
 * @example
 * parseJson('{"a":1,}', { line: 7 }); // throws: line 7, column 8, expected a key in double quotes, found }
 */
export function parseJson(text: string, options: ParseOptions = {}): unknown {
  const maxDepth = options.maxDepth ?? MAX_DEPTH;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw explainFailure(text, maxDepth, options.line, cause);
  }
  if (isTooDeep(value, text, maxDepth)) throw explainFailure(text, maxDepth, options.line);
  return value;
}

/** The value of a text; undefined if it is not JSON, or nested too deeply. */
export function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

/** Whether `value`, which JSON writes as `text`, is nested deeper than `maxDepth`. */
export function isTooDeep(value: unknown, text: string, maxDepth: number): boolean {
  // Every level needs two brackets. Searching longer texts for brackets costs more than walking their few containers.
  if (text.length < 2 * (maxDepth + 1)) return false;
  return !isShallow(value, Math.min(maxDepth, SHALLOW)) && isDeeper(value, maxDepth);
}

/** The depth up to which recursion is safe on any stack. Almost no value is deeper. */
const SHALLOW = 100;

/** Whether a value is nested no deeper than `depth`. Unlike `isDeeper`, this allocates nothing. */
function isShallow(value: unknown, depth: number): boolean {
  if (depth === 0) return !isContainer(value);
  if (Array.isArray(value)) {
    for (const member of value) if (isContainer(member) && !isShallow(member, depth - 1)) return false;
  } else if (isObject(value)) {
    for (const key in value) if (isContainer(value[key]) && !isShallow(value[key], depth - 1)) return false;
  }
  return true;
}

function explainFailure(text: string, maxDepth: number, line?: number, cause?: unknown) {
  const machine = new JsonMachine(maxDepth);
  machine.feed(text);
  return explain(machine, text, line, cause);
}

/** Walks the value level by level, without recursion: depth must not cost stack. */
function isDeeper(value: unknown, maxDepth: number): boolean {
  let level: unknown[] = [[value]];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    const next: unknown[] = [];
    for (const container of level) pushContainers(container, next);
    level = next;
  }
  return false;
}

function pushContainers(container: unknown, found: unknown[]): void {
  if (Array.isArray(container)) {
    for (const member of container) if (isContainer(member)) found.push(member);
  } else if (isObject(container)) {
    // Unlike Object.values this allocates no array; the objects of JSON.parse inherit nothing enumerable.
    for (const key in container) if (isContainer(container[key])) found.push(container[key]);
  }
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
