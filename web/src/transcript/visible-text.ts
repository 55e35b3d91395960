/** Control, bidirectional and zero-width characters, with which one name can imitate another. */
const hidden = /[\p{Cc}\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Makes hidden characters visible: `a\u202eb` becomes `a⟨U+202E⟩b`. */
export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    if (character === "\n" || character === "\t" || character === "\r") return character;
    return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}
