import { isBlank, joinBytes } from "./bytes.js";
import { type Line, LineSplitter, MAX_LINE_BYTES } from "./lines.js";

const LF = Uint8Array.of(0x0a);
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * A `LineSplitter` that joins a pretty-printed object into one line. This is unambiguous, because no line of JSON is a lone
 * brace. Other lines are passed on unchanged.
 *
 *     {
 *       "role": "user"
 *     }
 */
export class ObjectSplitter {
  readonly #splitter = new LineSplitter();
  #held: Line[] = [];
  #heldBytes = 0;

  push(chunk: Uint8Array): Line[] {
    return this.#join(this.#splitter.push(chunk));
  }

  finish(): Line[] {
    return [...this.#join(this.#splitter.finish()), ...this.#release()];
  }

  #join(lines: Line[]): Line[] {
    const isPlain = this.#held.length === 0 && !lines.some(({ bytes }) => isLone(OPENING, bytes));
    return isPlain ? lines : lines.flatMap((line) => this.#accept(line));
  }

  /** Lines that started like such an object and did not end like one. */
  #release(): Line[] {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    return held;
  }

  #accept(line: Line): Line[] {
    const { bytes, terminated } = line;
    const [first] = this.#held;
    if (first === undefined) return isLone(OPENING, bytes) ? this.#hold(line) : [line];
    if (isLone(CLOSING, bytes)) {
      const parts = this.#release().flatMap((held) => [held.bytes, LF]);
      return [{ ...first, bytes: joinBytes([...parts, bytes]), terminated }];
    }
    const isInside = isBlank(bytes[0]) && this.#heldBytes + bytes.length <= MAX_LINE_BYTES;
    return isInside ? this.#hold(line) : [...this.#release(), ...this.#accept(line)];
  }

  /** A copy, because the bytes of a line may be a view of a chunk. */
  #hold(line: Line): Line[] {
    this.#held.push({ ...line, bytes: new Uint8Array(line.bytes) });
    this.#heldBytes += line.bytes.length + LF.length;
    return [];
  }
}

/** Whether the line is an unindented brace; braces inside a pretty-printed object are indented. */
function isLone(brace: number, bytes: Uint8Array): boolean {
  return bytes[0] === brace && isBlank(bytes[1]) && bytes.subarray(1).every(isBlank);
}
