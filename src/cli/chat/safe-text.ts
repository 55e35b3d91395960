import { PlainText } from "../../tools/plain-text.js";

/** Bidirectional overrides, which make text look different from what it is. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;
const lineSeparators = /[\u2028\u2029]/g;

/** Untrusted text made safe for a terminal: visible characters in their real order, however the text is split. */
export class SafeText {
  readonly #plain = new PlainText();
  /** A high surrogate whose low surrogate has not arrived yet. */
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
