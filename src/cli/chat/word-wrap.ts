import { displayWidth } from "../../core/display-width.js";
import type { Piece } from "./inline.js";

/** Lines may break on both sides of these, because their languages have no spaces. */
const ideograph = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]/u;
/** Never at the beginning of a line: what closes, and what belongs to the character before. */
const clings = /[\p{M}\p{Cf}\p{Pe}\p{Pf}\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff01\uff1f\u30fc]/u;
const joiner = "\u200d";

/**
 * Writes words one after the other, each when it is whole, and begins another line when one does not fit. A word that is longer
 * than a line is not broken, so that an address stays one.
 */
export class WordWrap {
  readonly #width: number;
  readonly #painted: (piece: Piece) => string;
  #hang = "";
  #start = 0;
  #column = 0;
  #spaces = "";
  #word: Piece[] = [];
  #last = "";

  constructor(width: number, painted: (piece: Piece) => string) {
    this.#width = width;
    this.#painted = painted;
  }

  /** Begins a line after `columns` columns that are written already; the lines it needs besides begin with `hang`. */
  begin(columns: number, hang: string): void {
    this.#hang = hang;
    this.#column = columns;
    this.#start = columns;
    this.#spaces = "";
    this.#last = "";
  }

  push({ text, styles }: Piece): string {
    let out = "";
    let sofar = "";
    const keep = () => {
      if (sofar !== "") this.#append({ text: sofar, styles });
      sofar = "";
    };
    for (const character of text) {
      if (character === " " || character === "\t") {
        keep();
        out += this.#flush();
        this.#spaces += " ";
      } else {
        if (this.#canBreakBefore(character)) {
          keep();
          out += this.#flush();
        }
        sofar += character;
      }
      this.#last = character;
    }
    keep();
    return out;
  }

  end(): string {
    return this.#flush();
  }

  /** Pieces that look the same are painted as one, wherever they were cut. */
  #append(piece: Piece): void {
    const last = this.#word.at(-1);
    if (last?.styles.join() === piece.styles.join()) last.text += piece.text;
    else this.#word.push({ ...piece });
  }

  #canBreakBefore(character: string): boolean {
    if (this.#last === joiner || clings.test(character)) return false;
    return ideograph.test(character) || ideograph.test(this.#last);
  }

  #flush(): string {
    if (this.#word.length === 0) return "";
    const width = displayWidth(this.#word.map(({ text }) => text).join(""));
    const painted = this.#word.map(this.#painted).join("");
    this.#word = [];
    const [spaces, column] = [this.#spaces, this.#column];
    this.#spaces = "";
    const fits = column + spaces.length + width <= this.#width;
    if (fits || column === this.#start) {
      this.#column = column + spaces.length + width;
      return spaces + painted;
    }
    this.#column = this.#start + width;
    return `\n${this.#hang}${painted}`;
  }
}
