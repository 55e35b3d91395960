import { type Token, Tokenizer, type TokenizerExtensionFunction, type Tokens } from "marked";
import { findMathematics, isKept, type Mathematics, mathematicsAt } from "../core/mathematics.js";

/** A formula, which marked does not know. It is a block if it starts a line and ends one. */
export interface MathToken extends Mathematics {
  type: "math";
  raw: string;
}

export function isMath(token: Token): token is MathToken {
  return token.type === "math";
}

/** Marks inside a formula do not end a span that starts before it. */
export class MathTokenizer extends Tokenizer {
  #source = "";
  #masked = "";
  #result = "";

  override emStrong(source: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return super.emStrong(source, this.#withoutMath(source, masked), before);
  }

  override del(source: string, masked: string, before?: string): Tokens.Del | undefined {
    return super.del(source, this.#withoutMath(source, masked), before);
  }

  /** marked calls this for each possible span of a text, with what is left of the text. */
  #withoutMath(source: string, masked: string): string {
    if (masked !== this.#masked || !this.#source.endsWith(source)) {
      this.#source = source;
      this.#masked = masked;
      this.#result = maskMath(source, masked);
    }
    return this.#result;
  }
}

/** `source` is the end of the text that `masked` stands for. */
function maskMath(source: string, masked: string): string {
  const start = masked.length - source.length;
  let result = "";
  for (const { at, source: formula } of findMathematics(source)) {
    result += masked.slice(result.length, start + at) + "+".repeat(formula.length);
  }
  return result + masked.slice(result.length);
}

const inlineMath: TokenizerExtensionFunction = (source, tokens) => {
  const formula = mathematicsAt(source, 0, tokens.at(-1)?.raw.at(-1) ?? "");
  if (formula !== undefined) return { type: "math", raw: formula.source, ...formula };
  const [escaped, label] = /^\\\[([^[\]\\\n]{0,200})\\\]/.exec(source) ?? [];
  if (escaped !== undefined) return { type: "text", raw: escaped, text: `[${label}]` };
  if (!isKept(source, 0)) return undefined;
  const raw = source.slice(0, 2);
  return { type: "text", raw, text: raw };
};

const blockMath: TokenizerExtensionFunction = (source) => {
  const [indent = ""] = /^ {0,3}(?=\\\[|\$\$)/.exec(source) ?? [];
  const formula = /^ {0,3}(?:\\\[|\$\$)/.test(source) ? mathematicsAt(source, indent.length) : undefined;
  if (formula?.display !== true) return undefined;
  const end = indent.length + formula.source.length;
  const [after] = /^[ \t]*(?:\n|$)/.exec(source.slice(end)) ?? [];
  return after === undefined
    ? undefined
    : { type: "math", raw: source.slice(0, end) + after.trimEnd(), ...formula };
};

/** marked's option `extensions`: formulas are tokens of the type `math`, at both levels. */
export const mathExtensions = {
  inline: [inlineMath],
  block: [blockMath],
  startInline: [(source: string) => source.indexOf("$")],
  startBlock: [
    (source: string) => {
      // Only in this paragraph: marked asks for every one.
      const end = source.search(/\n[ \t]*\n/);
      return (end === -1 ? source : source.slice(0, end)).search(/(?<=\n) {0,3}(?:\\\[|\$\$)/);
    },
  ],
  renderers: {},
  childTokens: {},
};
