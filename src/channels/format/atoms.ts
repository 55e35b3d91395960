import type { Mark } from "./style.js";

/**
 * How good it is to end a message behind an atom: 0 only if there is no other place, 1 a word, 2 a sentence, 3 a line,
 * 4 a paragraph.
 */
export type Break = 0 | 1 | 2 | 3 | 4;

/** The smallest part of a rendered text: it is never cut. */
export interface Atom {
  kind: "word" | "space" | "line";
  /** What a reader sees, with the address of a link that ends here. */
  text: string;
  /** The same as the platform wants it written, without the marks around it. */
  written: string;
  /** From the outermost to the innermost. */
  marks: readonly Mark[];
  after: Break;
}

const pattern = /\n|[^\S\n]+|\S+/g;
const sentenceEnd = /[.!?…:;]["'”’»)\]]*$/;
/** Scripts without spaces. */
const clauseEnd = /[。！？；，、।؟۔]$/;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Words, white space and line feeds of at most so many units each. */
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

/** A text in pieces that end with whole graphemes, or at least with whole characters where one grapheme is too long. */
function* pieces(text: string, maxUnits: number): Generator<string> {
  if (text.length <= maxUnits) {
    yield text;
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

function* indivisible(text: string, maxUnits: number): Generator<string> {
  for (const { segment } of graphemes.segment(text)) {
    if (segment.length <= maxUnits) yield segment;
    else yield* segment;
  }
}
