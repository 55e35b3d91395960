/** Created at its first use, because loading its Unicode data takes longer than loading our code. */
let segmenter: Intl.Segmenter | undefined;

/** What a reader sees as the characters of a text: `👩‍🚀` is one. */
export function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}
