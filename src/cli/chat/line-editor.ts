import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface, type Interface, type Key } from "node:readline";
import { Writable } from "node:stream";
import { writeFailure } from "../file-errors.js";

export interface EditorOptions {
  input: NodeJS.ReadStream;
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

const HISTORY_LINES = 1000;
const BRACKETED_PASTE = "\u001b[?2004";

/** Turns on that a terminal says where pasted text begins and ends; the other one turns it off. */
export const pasteMarks = { on: `${BRACKETED_PASTE}h`, off: `${BRACKETED_PASTE}l` };

/** A text of one or more lines being typed. A backslash at the end of a line, and a paste of several, make more of them. */
export class LineEditor {
  readonly #readline: Interface;
  readonly #options: EditorOptions;
  /** The lines above the one that is edited. */
  #lines: string[] = [];
  #pasting = false;
  /** Where the cursor was before the key that is dealt with. */
  #cursorBefore = 0;
  #draft: string[] | undefined;

  constructor(options: EditorOptions) {
    this.#options = options;
    const { input, history } = options;
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

/** What was typed in other chats, latest first. */
export async function readHistory(path: string): Promise<string[]> {
  try {
    const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
    return lines.slice(-HISTORY_LINES).reverse();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** Only for its owner: people type secrets. */
export async function appendHistory(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await appendFile(path, `${text}\n`, { mode: 0o600 });
  } catch (error) {
    throw writeFailure(path, error);
  }
}
