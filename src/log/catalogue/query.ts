import { type SearchTerm, wordsOf } from "./highlight.js";
import { separated } from "./searchable.js";

/** More than users type. */
const MAX_TERMS = 50;

export interface Query {
  /** All terms in one expression; undefined when there is nothing to search for. */
  match: string | undefined;
  /** The terms that must all occur, and that are highlighted. */
  wanted: SearchTerm[];
  /** The terms that must not occur. */
  excluded: SearchTerm[];
  ignored: string[];
}

interface Term {
  text: string;
  excluded: boolean;
  quoted: boolean;
}

/**
 * Reads user input as a query; there is no input that is not one.
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
  if (included.length === 0) return { match: undefined, wanted: [], excluded: [], ignored };
  const last = terms.at(-1);
  const isOpen = (term: Term) => term === last && !term.quoted;
  const positive = included.map((term) => (isOpen(term) ? `${quoted(term)} *` : quoted(term)));
  const others = usable.filter(({ excluded }) => excluded);
  const negative = others.map((term) => ` NOT ${quoted(term)}`);
  const wanted = included.map((term) => searchTerm(term, isOpen(term)));
  const excluded = others.map((term) => searchTerm(term, false));
  return { match: `(${positive.join(" AND ")})${negative.join("")}`, wanted, excluded, ignored };
}

/** `-` and `"` are special only at the beginning of a term; an unclosed quote ends with the input. */
function termsOf(input: string): Term[] {
  const matches = input.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g);
  return [...matches].flatMap(([, minus, phrase, word]) => {
    const text = phrase ?? word ?? "";
    return text.trim() === "" ? [] : [{ text, excluded: minus === "-", quoted: phrase !== undefined }];
  });
}

function searchTerm({ text }: Term, prefix: boolean): SearchTerm {
  return { words: wordsOf(separated(text)), prefix };
}

function quoted({ text }: Term): string {
  return `"${separated(text)}"`;
}
