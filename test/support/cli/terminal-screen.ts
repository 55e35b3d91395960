/** As much of a terminal as the chat needs: it fails on everything else. */
export class TerminalScreen {
  readonly #columns: number;
  readonly #rows: number;
  readonly #lines: string[][] = [[]];
  /** Of the first row that is seen; those above have scrolled away. */
  #top = 0;
  #row = 0;
  #column = 0;
  #rest = "";

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = rows;
  }

  /** Everything, without spaces at the ends of lines. */
  text(): string {
    return this.#lines
      .map((line) =>
        [...line]
          .map((cell) => cell ?? " ")
          .join("")
          .trimEnd(),
      )
      .join("\n");
  }

  get cursor(): { line: number; column: number } {
    return { line: this.#row, column: this.#column };
  }

  write(data: string): void {
    let text = this.#rest + data;
    this.#rest = "";
    while (text !== "") {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: commands begin with one
      const [command, mark, count, final] = /^\u001b(?:\[(\??)([\d;]*)([A-Za-z]))/.exec(text) ?? [];
      if (command !== undefined) {
        this.#obey(`${mark}${final}`, count ?? "");
        text = text.slice(command.length);
        continue;
      }
      if (text.startsWith("\u001b")) {
        // The rest of the command is in the next piece.
        if (text.length < 10) this.#rest = text;
        else throw new Error(`unknown command ${JSON.stringify(text.slice(0, 10))}`);
        return;
      }
      const [character = ""] = text;
      this.#show(character);
      text = text.slice(character.length);
    }
  }

  #obey(final: string, parameters: string): void {
    const count = Number(parameters || "1");
    switch (final) {
      case "A":
        this.#row = Math.max(this.#row - count, this.#top);
        this.#column = Math.min(this.#column, this.#columns - 1);
        return;
      case "C":
        this.#column = Math.min(this.#column + count, this.#columns - 1);
        return;
      case "J":
        this.#lines.length = this.#row + 1;
        this.#lines[this.#row]?.splice(this.#column);
        return;
      case "m":
      case "?h":
      case "?l":
        return;
      default:
        throw new Error(`unknown command ${final}`);
    }
  }

  #show(character: string): void {
    switch (character) {
      case "\r":
        this.#column = 0;
        return;
      case "\n":
        this.#down();
        return;
      default: {
        if (character < " " || character === "\u007f")
          throw new Error(`control ${JSON.stringify(character)}`);
        if (this.#column >= this.#columns) {
          this.#column = 0;
          this.#down();
        }
        const line = this.#lines[this.#row] ?? [];
        line[this.#column++] = character;
      }
    }
  }

  #down(): void {
    this.#row++;
    if (this.#lines[this.#row] === undefined) this.#lines[this.#row] = [];
    this.#top = Math.max(this.#top, this.#row - this.#rows + 1);
  }
}
