import { createInterface, type Interface, type Key } from "node:readline";
import { Writable } from "node:stream";
import { type Keyboard, Keys } from "./keys.js";
import { HISTORY_LINES } from "./typed-history.js";

export interface EditorOptions {
  input: Keyboard;
  /** Latest first. */
  history: string[];
  /** Gets each key first; whether it handled the key. */
  intercept?(key: string): boolean;
  /** The text or the cursor has changed. */
  onChange(): void;
  onEnter(text: string): void;
  onInterrupt(): void;
  /** End of input: Ctrl-D on an empty line. */
  onEnd(): void;
}

/** Discards what readline draws: `Screen` draws the input below the scrolling text. */
class DiscardedOutput extends Writable {
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

const BRACKETED_PASTE = "\u001b[?2004";

/** Enables and disables the terminal's markers around pasted text. */
export const pasteMarks = { on: `${BRACKETED_PASTE}h`, off: `${BRACKETED_PASTE}l` };

/** An input of one or more lines. A trailing backslash or a paste of several lines adds lines. */
export class LineEditor {
  readonly #readline: Interface;
  readonly #keys: Keys;
  readonly #options: EditorOptions;
  /** The lines above the edited one. */
  #lines: string[] = [];
  #pasting = false;
  /** The cursor before the current key. */
  #cursorBefore = 0;
  #draft: string[] | undefined;

  constructor(options: EditorOptions) {
    this.#options = options;
    const { history } = options;
    const input = new Keys(options.input, (key) => options.intercept?.(key) ?? false);
    this.#keys = input;
    input.prependListener("keypress", () => {
      this.#cursorBefore = this.#readline.cursor;
    });
    this.#readline = createInterface({
      input,
      output: new DiscardedOutput(),
      terminal: true,
      history,
      historySize: HISTORY_LINES,
      prompt: "",
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    this.#readline.on("line", (line) => this.#submit(line));
    this.#readline.on("SIGINT", options.onInterrupt);
    this.#readline.on("SIGCONT", options.onChange);
    this.#readline.on("close", options.onEnd);
    // Answers to permission requests do not belong in the history.
    this.#readline.on("history", (lines: string[]) => {
      if (this.#draft !== undefined) lines.shift();
    });
    input.on("keypress", (_text: string | undefined, key: Key) => this.#observeKey(key));
  }

  get text(): string {
    return [...this.#lines, this.#readline.line].join("\n");
  }

  /** In UTF-16 units of the text. */
  get cursor(): number {
    return this.#lines.reduce((sum, line) => sum + line.length + 1, 0) + this.#readline.cursor;
  }

  set(text: string): void {
    const lines = text.split("\n");
    const last = lines.pop() ?? "";
    this.#readline.write(null, { ctrl: true, name: "e" });
    this.#readline.write(null, { ctrl: true, name: "u" });
    this.#lines = lines;
    if (last !== "") this.#readline.write(last);
    this.#options.onChange();
  }

  /** Replaces a part of the text; the cursor is after it. */
  replace(from: number, to: number, text: string): void {
    const rest = this.text.slice(to);
    this.set(this.text.slice(0, from) + text + rest);
    for (let left = rest.length; left > 0; left--) this.#readline.write(null, { name: "left" });
  }

  /** Saves the typed text while a permission request is pending. */
  stashDraft(): void {
    if (this.#draft !== undefined) return;
    const draft = this.text.split("\n");
    this.set("");
    this.#draft = draft;
  }

  restoreDraft(): void {
    const draft = this.#draft;
    if (draft === undefined) return;
    this.#draft = undefined;
    this.set(draft.join("\n"));
  }

  close(): void {
    this.#readline.close();
    this.#keys.close();
  }

  #submit(line: string): void {
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

  #observeKey({ name }: Key): void {
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
