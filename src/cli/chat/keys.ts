import { PassThrough } from "node:stream";

export type Keyboard = NodeJS.ReadableStream & { setRawMode?(raw: boolean): unknown };

/** Names of the keys that the chat handles itself, by what a terminal sends for them. */
export const KEY = {
  tab: "\t",
  backTab: "\u001b[Z",
  enter: "\r",
  escape: "\u001b",
  up: "\u001b[A",
  down: "\u001b[B",
  backspace: "\u007f",
  ctrlC: "\u0003",
  ctrlG: "\u0007",
  ctrlR: "\u0012",
} as const;

const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";
/** An escape sequence, or a character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys begin with one
const oneKey = /\u001b\[[\d;]*[A-Za-z~]|\u001bO[A-Z]|[\s\S]/gu;

/**
 * Passes keys on one at a time: of keys that arrive together, readline appends all but the last to the line. A key that
 * `intercept` accepts is not passed on; pasted text always is.
 */
export class Keys extends PassThrough {
  readonly #keyboard: Keyboard;
  readonly #intercept: (key: string) => boolean;
  #pasting = false;
  readonly #forward = (text: string) => {
    for (const [key] of text.matchAll(oneKey)) {
      if (key === PASTE_START) this.#pasting = true;
      if (!this.#pasting && this.#intercept(key)) continue;
      if (key === PASTE_END) this.#pasting = false;
      for (const character of key) this.write(character);
    }
  };

  constructor(keyboard: Keyboard, intercept: (key: string) => boolean) {
    super({ objectMode: true });
    this.#keyboard = keyboard;
    this.#intercept = intercept;
    keyboard.setEncoding("utf8");
    keyboard.on("data", this.#forward);
    keyboard.on("end", () => this.end());
  }

  setRawMode(raw: boolean): void {
    this.#keyboard.setRawMode?.(raw);
  }

  close(): void {
    this.#keyboard.off("data", this.#forward);
    this.#keyboard.pause();
  }
}
