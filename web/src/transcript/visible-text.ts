/** Controls, and what turns the direction of text or has no width: with these a name can look like another. */
const hidden = /[\p{Cc}\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** A name, a path, an address or code with nothing hidden in it: `a\u202eb` becomes `a⟨U+202E⟩b`. */
export function visible(text: string): string {
  return text.replace(hidden, (character) =>
    character === "\n" || character === "\t" || character === "\r" ? character : marked(character),
  );
}

function marked(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
