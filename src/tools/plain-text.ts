/*
 * A terminal executes control sequences: it moves the cursor, changes colours, renames its window, types answers.
 *
 *   CSI     ESC [ parameters final          ESC [ 3 1 m
 *   strings ESC ] … BEL, ESC P … ESC \      titles, links, clipboard, pictures
 *   others  ESC intermediates final         ESC ( B, ESC c
 *
 * U+0080 to U+009F are the same in one character (U+009B is ESC [).
 */
type State = "text" | "escape" | "csi" | "string" | "string-escape";

const ESC = 0x1b;
const REPLACEMENT = "\ufffd";
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
const suspicious = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

/**
 * Removes control sequences, however the text is cut into pieces. Line ends become `\n`; other control characters become
 * U+FFFD. An unterminated sequence removes the rest of its line, not more.
 */
export class PlainText {
  #state: State = "text";
  #afterReturn = false;

  push(text: string): string {
    if (this.#state === "text" && !this.#afterReturn && !suspicious.test(text)) return text;
    let plain = "";
    for (const character of text) plain += this.#consume(character, character.codePointAt(0) ?? 0);
    return plain;
  }

  #consume(character: string, code: number): string {
    const ofReturn = this.#afterReturn && character === "\n";
    this.#afterReturn = character === "\r";
    if (ofReturn) return "";
    if (character === "\n" || character === "\r") {
      this.#state = "text";
      return "\n";
    }
    switch (this.#state) {
      case "text":
        return this.#consumeText(character, code);
      case "escape":
        this.#state = afterEscape(code);
        return "";
      case "csi":
        if (code >= 0x20 && code <= 0x3f) return "";
        this.#state = "text";
        return code >= 0x40 && code <= 0x7e ? "" : this.#consumeText(character, code);
      case "string":
        if (code === ESC) this.#state = "string-escape";
        else if (code === 0x07 || code === 0x9c) this.#state = "text";
        return "";
      case "string-escape":
        // ESC \ ends the string; ESC with anything else starts another sequence.
        this.#state = character === "\\" ? "text" : afterEscape(code);
        return "";
    }
  }

  #consumeText(character: string, code: number): string {
    if (code === ESC) this.#state = "escape";
    else if (code === 0x9b) this.#state = "csi";
    else if (code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f)) this.#state = "string";
    else return character !== "\t" && suspicious.test(character) ? REPLACEMENT : character;
    return "";
  }
}

function afterEscape(code: number): State {
  const character = String.fromCodePoint(code);
  if (character === "[") return "csi";
  if ("]PX^_".includes(character)) return "string";
  // Intermediates continue the sequence; a final ends it, and so does an invalid character.
  return code === ESC || (code >= 0x20 && code <= 0x2f) ? "escape" : "text";
}
