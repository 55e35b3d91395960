import { type SearchTerm, wordsOf } from "./highlight.js";
import { separated } from "./searchable.js";

/** More than users type; SQLite has a limit too. */
const MAX_TERMS = 50;

export interface Query {
  /** In FTS5 syntax; undefined when there is nothing to search for. */
  match: string | undefined;
  /** The terms to highlight. */
  wanted: SearchTerm[];
  ignored: string[];
}

interface Term {
  text: string;
  excluded: boolean;
  quoted: boolean;
}

/**
 * Turns user input into a query that is always valid SQLite: every word and phrase is quoted.
 *
 * @example
 * parseQuery('fix "log file" -draft pars'); // match: ("fix" AND "log file" AND "pars" *) NOT "draft"
 */
export function parseQuery(input: string): Query {
  const terms = termsOf(input);
  const usable = terms.filter(({ text }) => /[\p{L}\p{N}\p{Co}]/u.test(text)).slice(0, MAX_TERMS);
  const included = usable.filter(({ excluded }) => !excluded);
  const used = new Set(included.length > 0 ? usable : []);
  const ignored = terms.filter((term) => !used.has(term)).map(({ text }) => text);
  if (included.length === 0) return { match: undefined, wanted: [], ignored };
  const last = terms.at(-1);
  const isOpen = (term: Term) => term === last && !term.quoted;
  const positive = included.map((term) => (isOpen(term) ? `${quoted(term)} *` : quoted(term)));
  const negative = usable.filter(({ excluded }) => excluded).map((term) => ` NOT ${quoted(term)}`);
  const wanted = included.map((term) => ({ words: wordsOf(separated(term.text)), prefix: isOpen(term) }));
  return { match: `(${positive.join(" AND ")})${negative.join("")}`, wanted, ignored };
}

/** `-` and `"` are special only at the beginning of a term; an unclosed quote ends with the input. */
function termsOf(input: string): Term[] {
  const matches = input.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g);
  return [...matches].flatMap(([, minus, phrase, word]) => {
    const text = phrase ?? word ?? "";
    return text.trim() === "" ? [] : [{ text, excluded: minus === "-", quoted: phrase !== undefined }];
  });
}

function quoted({ text }: Term): string {
  return `"${separated(text)}"`;
}
