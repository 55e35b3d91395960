const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

const printableAscii = /^[\x20-\x7e]*$/;
const nothing = /^[\p{Mn}\p{Me}\p{Cf}]/u;
/** What terminals give two columns: East Asian wide and full-width characters, and emoji that are shown as pictures. */
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;
/** Asks for a picture where text would be usual: ❤️. */
const PICTURE = "\ufe0f";

/** How many columns of a terminal the text takes. Escape sequences are not expected in it. */
export function displayWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (wide.test(segment) || segment.includes(PICTURE)) width += 2;
    else if (!nothing.test(segment)) width += 1;
  }
  return width;
}
