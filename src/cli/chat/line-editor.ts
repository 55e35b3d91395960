import { createInterface, type Interface, type Key } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import { HISTORY_LINES } from "./typed-history.js";

type Keyboard = NodeJS.ReadableStream & { setRawMode?(raw: boolean): unknown };

export interface EditorOptions {
  input: Keyboard;
  /** Latest first. */
  history: string[];
  /** What is shown has changed. */
  onChange(): void;
  /** What was typed, all lines of it. */
  onEnter(text: string): void;
  onInterrupt(): void;
  /** The end of the input: Ctrl-D in an empty line. */
  onEnd(): void;
}

/** Takes what readline would draw: we draw by ourselves, around the text that scrolls by. */
class Nowhere extends Writable {
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

/** One at a time: of keys that come together, as in a paste, readline puts all but the last at the end of the line. */
class Keys extends PassThrough {
  readonly #keyboard: Keyboard;
  readonly #take = (text: string) => {
    for (const key of text) this.write(key);
  };

  constructor(keyboard: Keyboard) {
    super({ objectMode: true });
    this.#keyboard = keyboard;
    keyboard.setEncoding("utf8");
    keyboard.on("data", this.#take);
    keyboard.on("end", () => this.end());
  }

  setRawMode(raw: boolean): void {
    this.#keyboard.setRawMode?.(raw);
  }

  close(): void {
    this.#keyboard.off("data", this.#take);
    this.#keyboard.pause();
  }
}

const BRACKETED_PASTE = "\u001b[?2004";

/** Turns on that a terminal says where pasted text begins and ends; the other one turns it off. */
export const pasteMarks = { on: `${BRACKETED_PASTE}h`, off: `${BRACKETED_PASTE}l` };

/** A text of one or more lines being typed. A backslash at the end of a line, and a paste of several, make more of them. */
export class LineEditor {
  readonly #readline: Interface;
  readonly #keys: Keys;
  readonly #options: EditorOptions;
  /** The lines above the one that is edited. */
  #lines: string[] = [];
  #pasting = false;
  /** Where the cursor was before the key that is dealt with. */
  #cursorBefore = 0;
  #draft: string[] | undefined;

  constructor(options: EditorOptions) {
    this.#options = options;
    const { history } = options;
    const input = new Keys(options.input);
    this.#keys = input;
    input.prependListener("keypress", () => {
      this.#cursorBefore = this.#readline.cursor;
    });
    this.#readline = createInterface({
      input,
      output: new Nowhere(),
      terminal: true,
      history,
      historySize: HISTORY_LINES,
      prompt: "",
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    this.#readline.on("line", (line) => this.#enter(line));
    this.#readline.on("SIGINT", options.onInterrupt);
    this.#readline.on("SIGCONT", options.onChange);
    this.#readline.on("close", options.onEnd);
    // An answer to a question is no message that somebody wants to send again.
    this.#readline.on("history", (lines: string[]) => {
      if (this.#draft !== undefined) lines.shift();
    });
    input.on("keypress", (_text: string | undefined, key: Key) => this.#key(key));
  }

  get text(): string {
    return [...this.#lines, this.#readline.line].join("\n");
  }

  /** In UTF-16 units of the text. */
  get cursor(): number {
    return this.#lines.reduce((sum, line) => sum + line.length + 1, 0) + this.#readline.cursor;
  }

  /** Puts another text there. */
  set(text: string): void {
    const lines = text.split("\n");
    const last = lines.pop() ?? "";
    this.#readline.write(null, { ctrl: true, name: "e" });
    this.#readline.write(null, { ctrl: true, name: "u" });
    this.#lines = lines;
    if (last !== "") this.#readline.write(last);
    this.#options.onChange();
  }

  /** Puts what is being typed aside, for a question. */
  setAside(): void {
    if (this.#draft !== undefined) return;
    const draft = this.text.split("\n");
    this.set("");
    this.#draft = draft;
  }

  takeBack(): void {
    const draft = this.#draft;
    if (draft === undefined) return;
    this.#draft = undefined;
    this.set(draft.join("\n"));
  }

  close(): void {
    this.#readline.close();
    this.#keys.close();
  }

  #enter(line: string): void {
    if (this.#pasting || (line.endsWith("\\") && this.#draft === undefined)) {
      this.#lines.push(this.#pasting ? line : line.slice(0, -1));
      this.#options.onChange();
      return;
    }
    const text = [...this.#lines, line].join("\n");
    this.#lines = [];
    this.#options.onChange();
    this.#options.onEnter(text);
  }

  #key({ name }: Key): void {
    if (name === "paste-start") this.#pasting = true;
    if (name === "paste-end") this.#pasting = false;
    if (name === "backspace" && this.#cursorBefore === 0) this.#joinWithLineAbove();
    this.#options.onChange();
  }

  #joinWithLineAbove(): void {
    const above = this.#lines.pop();
    if (above === undefined) return;
    const { line } = this.#readline;
    this.set([...this.#lines, above + line].join("\n"));
    for (let left = line.length; left > 0; left--) this.#readline.write(null, { name: "left" });
  }
}
