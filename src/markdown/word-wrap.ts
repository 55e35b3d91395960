import { displayWidth } from "../core/display-width.js";
import { type Mark, sharedMarks } from "./style.js";

/** Lines may break on both sides of these, because their scripts have no spaces. */
const ideograph = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]/u;
/** Never at the start of a line: closing punctuation, and marks that belong to the character before. */
const clings = /[\p{M}\p{Cf}\p{Pe}\p{Pf}\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff01\uff1f\u30fc]/u;
const joiner = "\u200d";

/** A text and the marks around it, which have no width. */
export interface Piece {
  text: string;
  marks: readonly Mark[];
}

/** Whether a line can break between two characters that are not white space. */
export function canBreak(before: string, after: string): boolean {
  if (before === joiner || clings.test(after)) return false;
  return ideograph.test(after) || ideograph.test(before);
}

export function painted({ text, marks }: Piece): string {
  return marks.reduceRight((inner, { open, close }) => open + inner + close, text);
}

/** Wraps text at `columns`. */
export function wrap(text: string, columns: number): string[] {
  const words = new WordWrap(columns);
  words.begin(0, "");
  return (words.push({ text, marks: [] }) + words.end()).split("\n");
}

/** Wraps words as they are completed. A word longer than a line is not broken, so that URLs stay usable. */
export class WordWrap {
  readonly #width: number;
  #hang = "";
  #start = 0;
  #column = 0;
  #spaces = "";
  #word: Piece[] = [];
  #last = "";

  constructor(width: number) {
    this.#width = width;
  }

  /** Starts a line in which `columns` columns are already written; its continuation lines start with `hang`. */
  begin(columns: number, hang: string): void {
    this.#hang = hang;
    this.#column = columns;
    this.#start = columns;
    this.#spaces = "";
    this.#last = "";
  }

  push({ text, marks }: Piece): string {
    let out = "";
    let sofar = "";
    const append = () => {
      if (sofar !== "") this.#append({ text: sofar, marks });
      sofar = "";
    };
    for (const character of text) {
      if (character === " " || character === "\t") {
        append();
        out += this.#flush();
        this.#spaces += " ";
      } else {
        if (canBreak(this.#last, character)) {
          append();
          out += this.#flush();
        }
        sofar += character;
      }
      this.#last = character;
    }
    append();
    return out;
  }

  end(): string {
    return this.#flush();
  }

  /** Adjacent pieces with the same marks are painted as one. */
  #append(piece: Piece): void {
    const last = this.#word.at(-1);
    const isSame =
      last?.marks.length === piece.marks.length && sharedMarks(last.marks, piece.marks) === last.marks.length;
    if (last !== undefined && isSame) last.text += piece.text;
    else this.#word.push({ ...piece });
  }

  #flush(): string {
    if (this.#word.length === 0) return "";
    const width = displayWidth(this.#word.map(({ text }) => text).join(""));
    const word = this.#word.map(painted).join("");
    this.#word = [];
    const [spaces, column] = [this.#spaces, this.#column];
    this.#spaces = "";
    const fits = column + spaces.length + width <= this.#width;
    if (fits || column === this.#start) {
      this.#column = column + spaces.length + width;
      return spaces + word;
    }
    this.#column = this.#start + width;
    return `\n${this.#hang}${word}`;
  }
}
