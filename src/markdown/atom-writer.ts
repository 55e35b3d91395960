import { type Atom, type Break, cutText } from "./atoms.js";
import type { Mark, Style } from "./style.js";

/** Where a text is to be written. */
export interface Place {
  marks: readonly Mark[];
  /** What begins each of its lines. */
  indent: string;
}

/** Between two lines, or two paragraphs. */
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
    // Escaped, and with all marks around it, an atom still fits into a message.
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

  /** A sign of the platform, kept together with what follows. */
  sign(text: string, place: Place): void {
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

  freshLine(place: Place): void {
    if (!this.#isLineStart) this.gap("\n", place, 0);
  }

  /** How a line ends and the next begins. */
  lineOf({ marks }: Pick<Place, "marks">): string {
    return marks.some((mark) => mark === this.#style.quote) ? this.#style.quotedLine : "\n";
  }

  /** Adds to what is seen of the last word since the atom `first`. */
  addSeen(first: number, text: string): void {
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
    const written = this.lineOf({ marks });
    const text = this.#style.quote?.seen === true ? written : "\n";
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
