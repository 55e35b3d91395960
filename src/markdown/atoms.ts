import { graphemes } from "../core/graphemes.js";
import type { Mark } from "./style.js";
import { wholeSlice } from "./whole-slice.js";

/** How well a message can end after an atom: 0 only if it must, 1 after a word, 2 a sentence, 3 a line, 4 a paragraph. */
export type Break = 0 | 1 | 2 | 3 | 4;

/** The smallest part of a rendered text; never split. */
export interface Atom {
  kind: "word" | "space" | "line";
  /** The visible text, followed by a link's URL if the link ends here. */
  text: string;
  /** The same in the platform's markup, without the marks around it. */
  written: string;
  /** Outermost first. */
  marks: readonly Mark[];
  after: Break;
}

const pattern = /\n|[^\S\n]+|\S+/g;
const sentenceEnd = /[.!?…:;]["'”’»)\]]*$/;
/** For scripts without spaces. */
const clauseEnd = /[。！？；，、।؟۔]$/;

const ascii = /^[\x20-\x7e]*$/;
const WINDOW = 256;

/** Splits text into words, white space and line feeds of at most `maxUnits` each. */
export function* cutText(text: string, maxUnits: number): Generator<Pick<Atom, "kind" | "text" | "after">> {
  let word = "";
  for (const [part] of text.matchAll(pattern)) {
    if (part === "\n") yield { kind: "line", text: part, after: 3 };
    else if (/^\s/.test(part)) {
      const after = sentenceEnd.test(word) ? 2 : 1;
      for (const piece of pieces(part, maxUnits)) yield { kind: "space", text: piece, after };
    } else {
      for (word of pieces(part, maxUnits)) {
        yield { kind: "word", text: word, after: clauseEnd.test(word) ? 1 : 0 };
      }
    }
  }
}

/** Splits text between graphemes; a grapheme that is too long is split between code points. */
function* pieces(text: string, maxUnits: number): Generator<string> {
  if (text.length <= maxUnits) {
    yield text;
    return;
  }
  if (ascii.test(text)) {
    for (let start = 0; start < text.length; start += maxUnits) yield text.slice(start, start + maxUnits);
    return;
  }
  let piece = "";
  for (const unit of indivisible(text, maxUnits)) {
    if (piece !== "" && (piece.length + unit.length > maxUnits || clauseEnd.test(piece))) {
      yield piece;
      piece = "";
    }
    piece += unit;
  }
  yield piece;
}

/** The graphemes, segmented in small windows: a segmenter's cost per grapheme grows with the length of its text. */
function* indivisible(text: string, maxUnits: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const found = [...graphemes(wholeSlice(text, start, WINDOW))].map(({ segment }) => segment);
    // The last one may continue after the window.
    const isRest = start + WINDOW >= text.length;
    const whole = isRest || found.length === 1 ? found : found.slice(0, -1);
    for (const grapheme of whole) {
      start += grapheme.length;
      if (grapheme.length <= maxUnits) yield grapheme;
      else yield* grapheme;
    }
  }
}
