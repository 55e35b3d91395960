import { type Atom, type Break, cutText } from "./atoms.js";
import type { Mark, Style } from "./style.js";

/** The context of a text. */
export interface Place {
  marks: readonly Mark[];
  /** Starts each line. */
  indent: string;
}

/** A line break or a paragraph break. */
export type Gap = "\n" | "\n\n";

const LONGEST = 64;

/** Turns texts into atoms, line by line. */
export class AtomWriter {
  readonly atoms: Atom[] = [];
  readonly #style: Style;
  readonly #maxUnits: number;
  #isLineStart = true;

  constructor(style: Style, room: number) {
    this.#style = style;
    // An atom must fit into a message even when escaped and surrounded by all its marks.
    this.#maxUnits = Math.min(LONGEST, Math.floor(room / 8));
  }

  text(text: string, place: Place): void {
    this.#write(text, place, (part) => this.#style.escape(part));
  }

  address(url: string, place: Place): void {
    const isAddress = /^https?:\/\/\S+$/.test(url);
    this.#write(url, place, (part) =>
      isAddress ? this.#style.escapeAddress(part) : this.#style.escape(part),
    );
  }

  code(text: string, place: Place, kind: "block" | "line"): void {
    this.#write(this.#style.codeText(text, kind), place, (part) => this.#style.escapeCode(part));
  }

  /** A bullet, number or check box, kept on one line with the text after it. */
  bullet(text: string, place: Place): void {
    this.#begin(place);
    const { marks } = place;
    this.atoms.push({ kind: "word", text, written: text, marks, after: 0 });
    this.atoms.push({ kind: "space", text: " ", written: " ", marks, after: 0 });
  }

  gap(lines: Gap, place: Place, after?: Break): void {
    const blocks = place.marks.filter((mark) => mark === this.#style.quote);
    this.#line(blocks, after ?? 3);
    if (lines === "\n\n") this.#line(blocks, after ?? 4);
  }

  endLine(place: Place): void {
    if (!this.#isLineStart) this.gap("\n", place, 0);
  }

  /** The line break, with the quotation's prefix if there is one. */
  lineBreak({ marks }: Pick<Place, "marks">): string {
    return marks.some((mark) => mark === this.#style.quote) ? this.#style.quotedLine : "\n";
  }

  /** Appends to the visible text of the last word since the atom `first`. */
  appendVisible(first: number, text: string): void {
    const index = this.atoms.findLastIndex(({ kind }) => kind === "word");
    const last = this.atoms[index];
    if (last !== undefined && index >= first) this.atoms[index] = { ...last, text: last.text + text };
  }

  #write(text: string, place: Place, escaped: (part: string) => string): void {
    for (const part of cutText(text, this.#maxUnits)) {
      if (part.kind === "line") {
        this.#line(place.marks, part.after);
        continue;
      }
      this.#begin(place);
      this.atoms.push({ ...part, written: escaped(part.text), marks: place.marks });
    }
  }

  #line(marks: readonly Mark[], after: Break): void {
    const written = this.lineBreak({ marks });
    const text = this.#style.quote?.isVisible === true ? written : "\n";
    this.atoms.push({ kind: "line", text, written, marks, after });
    this.#isLineStart = true;
  }

  #begin({ marks, indent }: Place): void {
    if (this.#isLineStart && indent !== "") {
      const blocks = marks.filter((mark) => mark === this.#style.quote);
      this.atoms.push({ kind: "space", text: indent, written: indent, marks: blocks, after: 0 });
    }
    this.#isLineStart = false;
  }
}
