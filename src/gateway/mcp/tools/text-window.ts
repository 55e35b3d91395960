/** Keeps one page of a text that arrives as UTF-8 chunks; what is before and after the page is only counted. */
export class TextWindow {
  readonly #start: number;
  readonly #end: number;
  readonly #decoder = new TextDecoder();
  readonly #kept: string[] = [];
  #length = 0;

  constructor(offset: number, characters: number) {
    this.#start = offset;
    this.#end = offset + characters;
  }

  push(chunk: Uint8Array): void {
    this.#add(this.#decoder.decode(chunk, { stream: true }));
  }

  /** The page, and where the next one begins; undefined at the end of the text. */
  finish(): { text: string; next: number | undefined } {
    this.#add(this.#decoder.decode());
    const page = this.#kept.join("");
    if (this.#length <= this.#end) return { text: page, next: undefined };
    const text = wholeCharacters(page);
    return { text, next: this.#start + text.length };
  }

  #add(text: string): void {
    const from = this.#start - this.#length;
    const to = this.#end - this.#length;
    this.#length += text.length;
    if (to > 0 && from < text.length) this.#kept.push(text.slice(Math.max(from, 0), to));
  }
}

/** Without the first half of a surrogate pair at the end. */
export function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
