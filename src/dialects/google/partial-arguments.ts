import { DragomanError } from "../../core/error.js";
import { isObject, type JsonObject, setOwn } from "../../core/json/value.js";

type Token = string | number;
type Container = JsonObject | unknown[];

/**
 * Turns arguments that arrive value by value, as Vertex streams them, into JSON text that can be appended to:
 *
 *     {"jsonPath":"$.a.b[0]","stringValue":"x","willContinue":true}   →  {"a":{"b":["x
 *     {"jsonPath":"$.a.b[0]","stringValue":"y"}                       →  y"
 *     {"jsonPath":"$.n","numberValue":1}                              →  ]},"n":1
 *
 * Values normally arrive in the order of the text. If a value belongs into a container that is already closed, nothing more
 * can be appended, and only `instead` is correct.
 */
export class PartialArguments {
  readonly #root: JsonObject = {};
  /** The path of the last value; empty before the first one. */
  #path: readonly Token[] = [];
  #inString = false;
  #outOfOrder = false;

  /** The text to append for a value or a piece of a string. */
  push(piece: unknown): string {
    const { path, value, continues } = readPiece(piece);
    if (value === undefined) return "";
    const isMore = this.#inString && typeof value === "string" && samePath(path, this.#path);
    const lead = isMore ? "" : this.#moveTo(path);
    this.#put(path, value, isMore);
    this.#path = path;
    this.#inString = typeof value === "string" && continues;
    if (this.#outOfOrder) return "";
    if (typeof value !== "string") return `${lead}${JSON.stringify(value)}`;
    const text = JSON.stringify(value).slice(1, -1);
    return `${lead}${isMore ? "" : '"'}${text}${continues ? "" : '"'}`;
  }

  /** The text that closes everything that is open. */
  end(): string {
    if (this.#path.length === 0 || this.#outOfOrder) return "";
    return this.#close(0);
  }

  /** The complete text, if the appended pieces are not correct. */
  get instead(): string | undefined {
    return this.#outOfOrder ? JSON.stringify(this.#root) : undefined;
  }

  /** Closes the containers that do not contain the next value, and opens those that do. */
  #moveTo(path: readonly Token[]): string {
    const first = this.#path.length === 0;
    let shared = 0;
    while (shared < path.length - 1 && path[shared] === this.#path[shared]) shared++;
    if (!first && this.#isWritten(path, shared)) this.#outOfOrder = true;
    const closing = first ? "{" : `${this.#close(shared + 1)},`;
    const opening = path.slice(shared).map((token, depth) => {
      const start = depth === 0 ? "" : typeof token === "number" ? "[" : "{";
      return typeof token === "number" ? start : `${start}${JSON.stringify(token)}:`;
    });
    return `${closing}${opening.join("")}`;
  }

  /** Ends an open string and the containers from a depth on. */
  #close(depth: number): string {
    const ends = this.#path.slice(depth).map((token) => (typeof token === "number" ? "]" : "}"));
    const quote = this.#inString ? '"' : "";
    this.#inString = false;
    return `${quote}${ends.reverse().join("")}`;
  }

  /** Whether the path leads into a value that is already complete. */
  #isWritten(path: readonly Token[], shared: number): boolean {
    const parent = path.slice(0, shared).reduce<unknown>(member, this.#root);
    return shared === this.#path.length || member(parent, path[shared]) !== undefined;
  }

  #put(path: readonly Token[], value: unknown, isMore: boolean): void {
    const last = path.at(-1) ?? "";
    let parent: Container = this.#root;
    for (const [index, token] of path.slice(0, -1).entries()) {
      const next = member(parent, token);
      if (isContainer(next)) parent = next;
      else parent = put(parent, token, typeof path[index + 1] === "number" ? [] : {});
    }
    const before = isMore ? member(parent, last) : undefined;
    put(parent, last, typeof before === "string" && typeof value === "string" ? before + value : value);
  }
}

function put<T>(parent: Container, token: Token, value: T): T {
  if (!Array.isArray(parent)) setOwn(parent, String(token), value);
  else if (typeof token === "number" && token <= parent.length) parent[token] = value;
  else throw bad(`the arguments skip to [${token}] of a list of ${parent.length}`);
  return value;
}

function member(parent: unknown, token: Token | undefined): unknown {
  if (!isContainer(parent) || token === undefined || !Object.hasOwn(parent, token)) return undefined;
  return Reflect.get(parent, token);
}

function isContainer(value: unknown): value is Container {
  return Array.isArray(value) || isObject(value);
}

function samePath(a: readonly Token[], b: readonly Token[]): boolean {
  return a.length === b.length && a.every((token, index) => token === b[index]);
}

interface Piece {
  path: Token[];
  /** Undefined if the piece only announces a value. */
  value: unknown;
  continues: boolean;
}

function readPiece(piece: unknown): Piece {
  if (!isObject(piece) || typeof piece["jsonPath"] !== "string") {
    throw bad("a piece of a call's arguments has no jsonPath");
  }
  const { stringValue, numberValue, boolValue } = piece;
  const given = stringValue ?? numberValue ?? boolValue;
  return {
    path: parsePath(piece["jsonPath"]),
    value: Object.hasOwn(piece, "nullValue") ? null : given,
    continues: piece["willContinue"] === true,
  };
}

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\['((?:[^'\\]|\\.)*)'\]/y;

/** `$.a[0]["b c"]` → `["a", 0, "b c"]` */
function parsePath(text: string): Token[] {
  const path: Token[] = [];
  STEP.lastIndex = 1;
  for (let end = 1; end < text.length; end = STEP.lastIndex) {
    const [found, name, index, quoted, single] = STEP.exec(text) ?? [];
    if (found === undefined) throw bad(`"${text}" is not a path to an argument`);
    if (index !== undefined) path.push(Number(index));
    else path.push(name ?? (quoted === undefined ? unquote(single ?? "") : unquote(quoted.slice(1, -1))));
  }
  if (!text.startsWith("$") || typeof path[0] !== "string")
    throw bad(`"${text}" is not a path to an argument`);
  return path;
}

/** Resolves the escapes in a quoted name: those of JSON, and the escaped quote. */
function unquote(name: string): string {
  return name.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, char: string) =>
    code === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function bad(message: string): DragomanError {
  return new DragomanError("provider/bad-response", message);
}
