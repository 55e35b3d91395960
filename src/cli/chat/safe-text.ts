import { PlainText } from "../../tools/plain-text.js";

/** Change the order in which the characters around them are shown: what is read is not what is there. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;
const lineSeparators = /[\u2028\u2029]/g;

/** Text of a stranger that a terminal can be given: only what is shown, in the order it has. Cutting it changes nothing. */
export class SafeText {
  readonly #plain = new PlainText();
  /** The first half of a character whose second half has not come yet. */
  #half = "";

  push(text: string): string {
    const whole = this.#half + text;
    this.#half = /[\ud800-\udbff]$/.exec(whole)?.[0] ?? "";
    return this.#cleaned(whole.slice(0, whole.length - this.#half.length));
  }

  end(): string {
    return this.#half === "" ? "" : this.#cleaned(this.#half);
  }

  #cleaned(text: string): string {
    return this.#plain
      .push(text)
      .replace(/\p{Cs}/gu, "\ufffd")
      .replace(reordering, "\ufffd")
      .replace(lineSeparators, "\n");
  }
}
