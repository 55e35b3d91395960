import { graphemes } from "./graphemes.js";

const printableAscii = /^[\x20-\x7e]*$/;
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]/u;
/** Two columns wide in a terminal: East Asian wide and full-width characters, and emoji shown as pictures. */
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;
/** Variation selector that requests emoji presentation: ❤️. */
const EMOJI_SELECTOR = "\ufe0f";

/** The number of terminal columns a text occupies. The text must not contain escape sequences. */
export function displayWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) {
    if (wide.test(segment) || segment.includes(EMOJI_SELECTOR)) width += 2;
    else if (!zeroWidth.test(segment)) width += 1;
  }
  return width;
}
