import { DragomanError } from "../core/error.js";
import { joinBytes } from "./bytes.js";

/** The bytes of one member of a JSON array, and where they start in the input. */
export interface Member {
  bytes: Uint8Array;
  /** Its index in the array; undefined if the input is one value that is not an array. */
  index: number | undefined;
  offset: number;
  line: number;
  /** In UTF-16 units, from 1. */
  column: number;
}

type Place = Omit<Member, "bytes" | "index">;

const [LF, QUOTE, COMMA, BACKSLASH] = [0x0a, 0x22, 0x2c, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BOM = 0xef;

/**
 * Cuts a JSON array into its members while it is read, so that only one member is in memory. It looks at brackets and
 * strings only: whether a member is valid JSON is left to its parser. An input that is not an array is one member.
 *
 *     [{"id":1},     → {"id":1}
 *      {"id":2}]     → {"id":2}
 */
export class ArraySplitter {
  #state: "start" | "array" | "end" | "single" = "start";
  /** Of brackets within the member. */
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #index = 0;
  #offset = 0;
  #line = 1;
  #lineStart = 0;
  /** How many more bytes than UTF-16 units the line has so far. */
  #surplus = 0;
  /** Where the member starts; undefined before its first byte. */
  #start: Place | undefined;
  #parts: Uint8Array[] = [];

  push(chunk: Uint8Array): Member[] {
    const members: Member[] = [];
    const base = this.#offset;
    let from = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#inString) {
        at = this.#skipString(chunk, at);
        continue;
      }
      const byte = chunk[at] ?? 0;
      this.#offset = base + at;
      at++;
      if (isSpace(byte)) {
        if (byte === LF) this.#startLine();
        continue;
      }
      if (this.#state === "start") {
        // A byte order mark has three bytes; the other two are skipped like it.
        if (byte === BOM || byte === 0xbb || byte === 0xbf) {
          this.#surplus++;
          continue;
        }
        if (byte === OPEN_ARRAY) {
          this.#state = "array";
          continue;
        }
        this.#state = "single";
      }
      if (this.#state === "end") throw this.#failure("unexpected text after the end of the array");
      const isSeparator = this.#depth === 0 && (byte === COMMA || byte === CLOSE_ARRAY);
      if (this.#state === "array" && isSeparator) {
        const member = this.#close(chunk.subarray(from, at - 1), byte);
        if (member !== undefined) members.push(member);
        continue;
      }
      if (this.#start === undefined) {
        this.#start = this.#place();
        from = at - 1;
      }
      if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#depth++;
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) this.#depth--;
    }
    this.#offset = base + chunk.length;
    if (this.#start !== undefined) this.#parts.push(new Uint8Array(chunk.subarray(from)));
    return members;
  }

  /** The input's only value if it is not an array. Throws if the array does not end. */
  finish(): Member[] {
    if (this.#state === "array") throw this.#failure("the array does not end: the file is cut off");
    const start = this.#start;
    return start === undefined ? [] : [{ ...start, index: undefined, bytes: joinBytes(this.#parts) }];
  }

  #close(last: Uint8Array, separator: number): Member | undefined {
    const start = this.#start;
    if (separator === CLOSE_ARRAY) this.#state = "end";
    if (start === undefined) {
      if (separator === CLOSE_ARRAY && this.#index === 0) return undefined;
      throw this.#failure("expected a value between two commas");
    }
    const bytes = joinBytes([...this.#parts, last]);
    this.#parts = [];
    this.#start = undefined;
    return { ...start, index: this.#index++, bytes };
  }

  #skipString(chunk: Uint8Array, from: number): number {
    let at = from;
    while (at < chunk.length) {
      const byte = chunk[at++] ?? 0;
      if (byte >= 0x80) this.#surplus += surplusOf(byte);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        break;
      }
    }
    return at;
  }

  #startLine(): void {
    this.#line++;
    this.#lineStart = this.#offset + 1;
    this.#surplus = 0;
  }

  #place(): Place {
    const column = this.#offset - this.#lineStart - this.#surplus + 1;
    return { offset: this.#offset, line: this.#line, column };
  }

  #failure(message: string): DragomanError {
    const { line, column } = this.#place();
    const hint = "export the file again";
    return new DragomanError("json/syntax", message, { line, column, hint });
  }
}

/** A character of two or three bytes is one unit, a character of four bytes is two. */
function surplusOf(byte: number): number {
  if (byte < 0xc0) return 1;
  return byte >= 0xf0 ? -1 : 0;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === LF || byte === 0x0d || byte === 0x09;
}
