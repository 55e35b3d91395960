/** A label's start or end, or a line break, which labels cannot contain. */
const MARK = /[[\]\n]/g;
const TARGET_END = /[)>\s]/g;

/**
 * Replaces each Markdown link in a text: `![a chart](chart.png)`, `[the report](<out/report.pdf>)`. The text is untrusted and may
 * be megabytes of brackets, so this runs in linear time; a regular expression for the whole link would not.
 */
export function replaceLinks(
  text: string,
  replace: (link: string, label: string, target: string) => string,
): string {
  const targets = new Targets(text);
  let replaced = "";
  let done = 0;
  let open: number | undefined;
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    if (index < done) continue;
    if (mark === "[") {
      open ??= index;
      continue;
    }
    const target = mark === "]" && open !== undefined ? targets.at(index + 1) : undefined;
    if (target !== undefined && open !== undefined) {
      const start = open > done && text[open - 1] === "!" ? open - 1 : open;
      const link = text.slice(start, target.end);
      replaced += text.slice(done, start) + replace(link, text.slice(open + 1, index), target.text);
      done = target.end;
    }
    open = undefined;
  }
  return replaced + text.slice(done);
}

/** Finds link targets, from left to right. */
class Targets {
  readonly #text: string;
  /** The end of the current target; every target starting before it ends there too. */
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The target in parentheses at this position, and its end; undefined if there is none. */
  at(start: number): { text: string; end: number } | undefined {
    const text = this.#text;
    if (text[start] !== "(") return undefined;
    const from = text[start + 1] === "<" ? start + 2 : start + 1;
    if (this.#end < from) {
      TARGET_END.lastIndex = from;
      this.#end = TARGET_END.exec(text)?.index ?? text.length;
    }
    const close = text[this.#end] === ">" ? this.#end + 1 : this.#end;
    if (text[close] !== ")" || this.#end === from) return undefined;
    return { text: text.slice(from, this.#end), end: close + 1 };
  }
}
