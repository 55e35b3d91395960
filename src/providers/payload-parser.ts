import { isObject, type JsonObject } from "../core/json/value.js";
import { splitAtValues } from "../framing/event-shape.js";
import { parsePayload } from "./payloads.js";

/** How many payloads are parsed before a shape is remembered: a short answer is parsed in less time than a shape is found. */
const PARSED_FIRST = 8;
/** After this many shapes in a row that fit no payload, no more are looked for. */
const MAX_UNUSED = 4;
const ASCII = /^[\x20-\x7e\t]*$/;
/** What the inside of a JSON string has to be decoded for, or cannot contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings cannot contain them.
const SPECIAL = /["\\\x00-\x1f]/;

/** A payload, and where its texts are. */
interface Shape {
  /** The JSON before, between and after the texts. */
  constants: readonly string[];
  template: JsonObject;
  /** The keys from the template to each text. */
  paths: readonly (readonly (string | number)[])[];
}

/**
 * Parses the payloads of one stream. Most repeat the one before except for a piece of text: then only that piece is parsed,
 * and the rest is copied, which takes a fraction of the time. The result is the same as without this.
 */
export class PayloadParser {
  readonly #fields: ReadonlySet<string>;
  #shape: Shape | undefined;
  #parsed = 0;
  #unused = 0;

  /** @param fields the fields that differ between payloads (`Api.deltaFields`) */
  constructor(fields: readonly string[] = []) {
    this.#fields = new Set(fields);
  }

  parse(text: string): unknown {
    const repeated = this.#shape === undefined ? undefined : parseLike(this.#shape, text);
    if (repeated !== undefined) {
      this.#unused = 0;
      return repeated;
    }
    const payload = parsePayload(text);
    if (++this.#parsed > PARSED_FIRST && this.#unused < MAX_UNUSED && this.#fields.size > 0) {
      this.#unused++;
      this.#shape = shapeOf(text, this.#fields);
    }
    return payload;
  }
}

/**
 * The shape of a payload; undefined if none of the fields is a text, if one is a number, or if other fields contain objects,
 * which would have to be copied.
 */
function shapeOf(text: string, fields: ReadonlySet<string>): Shape | undefined {
  if (!text.startsWith("{")) return undefined;
  const { names, constants } = splitAtValues(text, fields);
  const before = constants.slice(0, -1);
  // Other characters are several bytes there.
  if (!constants.every((constant) => ASCII.test(constant))) return undefined;
  if (names.length === 0 || before.some((constant) => !constant.endsWith('"'))) return undefined;
  const marked = before.map((constant, index) => constant + markOf(index));
  const template: unknown = JSON.parse([...marked, constants.at(-1)].join(""));
  const paths = names.map((_, index) => pathTo(template, markOf(index)));
  const known = paths.filter((path) => path !== undefined);
  const containers = new Set(known.flatMap((path) => path.map((_, depth) => path.slice(0, depth).join("/"))));
  if (!isObject(template) || known.length < names.length || containers.size < containersIn(template))
    return undefined;
  const shape = { constants, template, paths: known };
  // A value that looks like a mark would be taken for it.
  return JSON.stringify(parseLike(shape, text)) === JSON.stringify(JSON.parse(text)) ? shape : undefined;
}

function markOf(index: number): string {
  return `dragoman value ${index}`;
}

function pathTo(node: unknown, mark: string): (string | number)[] | undefined {
  if (node === mark) return [];
  if (typeof node !== "object" || node === null) return undefined;
  const entries = Array.isArray(node) ? [...node.entries()] : Object.entries(node);
  for (const [key, value] of entries) {
    const rest = key === "__proto__" ? undefined : pathTo(value, mark);
    if (rest !== undefined) return [key, ...rest];
  }
  return undefined;
}

/** How many objects and arrays there are. */
function containersIn(node: unknown): number {
  if (typeof node !== "object" || node === null) return 0;
  return Object.values(node).reduce((count: number, value) => count + containersIn(value), 1);
}

/** The payload of a text with this shape; undefined if it has another. */
function parseLike({ constants, template, paths }: Shape, text: string): unknown {
  const [first = ""] = constants;
  if (text.slice(0, first.length) !== first) return undefined;
  let payload: unknown = template;
  let start = first.length;
  for (let index = 0; index < paths.length; index++) {
    const constant = constants[index + 1] ?? "";
    const isLast = index === paths.length - 1;
    const end = isLast ? text.length - constant.length : text.indexOf(constant, start);
    if (end < start || (isLast && text.slice(end) !== constant)) return undefined;
    const value = readText(text.slice(start, end));
    if (value === undefined) return undefined;
    payload = withValue(payload, paths[index] ?? [], 0, value);
    start = end + constant.length;
  }
  return payload;
}

/** The text with this JSON between its quotes; undefined if it is not one text. */
function readText(json: string): string | undefined {
  if (!SPECIAL.test(json)) return json;
  try {
    return JSON.parse(`"${json}"`);
  } catch {
    // The caller parses the whole payload, which reports what is wrong.
    return undefined;
  }
}

/** A copy with another value at the end of a path. What contains the value is copied, because readers may keep it. */
function withValue(node: unknown, path: readonly (string | number)[], depth: number, value: string): unknown {
  const key = path[depth];
  if (Array.isArray(node) && typeof key === "number") {
    const copy = node.slice();
    copy[key] = withValue(node[key], path, depth + 1, value);
    return copy;
  }
  if (isObject(node) && typeof key === "string") {
    const copy = { ...node };
    copy[key] = withValue(node[key], path, depth + 1, value);
    return copy;
  }
  return value;
}
