/** A formula in a text, with the delimiters that models write around it. */
export interface Mathematics {
  /** `\(a_1\)` */
  source: string;
  /** `a_1` */
  text: string;
  /** Whether it belongs on a line of its own. */
  display: boolean;
}

/** A pair of delimiters. A formula contains neither of its own, so the search for its end stops at the next one. */
interface Delimiters {
  opens: "\\(" | "\\[" | "$$" | "$";
  closes: "\\)" | "\\]" | "$$" | "$";
  display: boolean;
  /** What cannot follow the opening delimiter, and what cannot follow the closing one. */
  notAfter?: RegExp;
  notBehind?: RegExp;
}

const pairs: readonly Delimiters[] = [
  { opens: "\\(", closes: "\\)", display: false },
  // `\[a](b)`, `\[a\](b)` and `\[ ]` are links and tasks that were escaped.
  { opens: "\\[", closes: "\\]", display: true, notAfter: /[^[\]\\\n]{0,200}\]/y, notBehind: /\(/y },
  { opens: "$$", closes: "$$", display: true },
  // Prices and variables are not formulas: `$5 a piece`, `$HOME/$USER`.
  {
    opens: "$",
    closes: "$",
    display: false,
    notAfter: /\s|\d[\d.,]{0,20}\s{1,3}\p{L}{2}/uy,
    notBehind: /[\p{L}\p{N}$]/uy,
  },
];

/**
 * The formula that starts at a place in a text.
 *
 *     mathematicsAt("so \\(a_1\\)", 3) // { source: "\\(a_1\\)", text: "a_1", display: false }
 *
 * @param before the character before that place
 */
export function mathematicsAt(
  text: string,
  at: number,
  before = text[at - 1] ?? "",
): Mathematics | undefined {
  const pair = pairs.find(({ opens }) => text.startsWith(opens, at));
  if (pair === undefined || (pair.opens === "$" && /[\p{L}\p{N}$]/u.test(before))) return undefined;
  const start = at + pair.opens.length;
  const end = matchesAt(pair.notAfter, text, start) ? undefined : closingPlace(text, start, pair);
  if (end === undefined) return undefined;
  const body = text.slice(start, end);
  const isEmpty = body.trim() === "" || (pair.closes === "$" && /\s$/.test(body));
  if (isEmpty || matchesAt(pair.notBehind, text, end + pair.closes.length)) return undefined;
  return { source: text.slice(at, end + pair.closes.length), text: body, display: pair.display };
}

function matchesAt(pattern: RegExp | undefined, text: string, at: number): boolean {
  if (pattern === undefined) return false;
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Blank lines are part of a formula only if `\[` and `\]` have lines to themselves. */
function closingPlace(text: string, start: number, { opens, closes }: Delimiters): number | undefined {
  let isLineBlank = false;
  let hasBlankLine = false;
  for (let at = start; at < text.length; ) {
    const character = text[at] ?? "";
    if (text.startsWith(closes, at)) {
      return !hasBlankLine || (isAlone(text, start, start - opens.length) && isAlone(text, at + 2, at))
        ? at
        : undefined;
    }
    if (text.startsWith(opens, at) || (closes === "$" && /[`\n]/.test(character))) return undefined;
    if (character === "\n") {
      hasBlankLine ||= isLineBlank;
      if (hasBlankLine && closes !== "\\]") return undefined;
      isLineBlank = true;
    } else if (character !== " " && character !== "\t") isLineBlank = false;
    at += character === "\\" ? 2 : 1;
  }
  return undefined;
}

/** Whether a line has nothing before `to` and after `from`. */
function isAlone(text: string, from: number, to: number): boolean {
  const end = text.indexOf("\n", from);
  const start = text.lastIndexOf("\n", to - 1) + 1;
  const before = to === 0 ? "" : text.slice(start, to);
  return `${before}${text.slice(from, end === -1 ? undefined : end)}`.trim() === "";
}

/** What can start a formula, and what hides such a start: code, URLs and escaped characters. */
const CANDIDATE = /`[^`\n]+`|(?:https?:\/\/|www\.)\S+|\\[\s\S]|\$\$?/gi;

export interface FoundMathematics extends Mathematics {
  at: number;
}

/** The formulas of a text without code blocks, in order, that start from `from` up to `to`. */
export function* findMathematics(text: string, from = 0, to = text.length): Generator<FoundMathematics> {
  const searched = text.slice(from, to);
  for (let next = candidateFrom(searched, 0); next !== undefined; ) {
    const at = from + next.at;
    const formula = mathematicsAt(text, at);
    if (formula !== undefined) yield { ...formula, at };
    next = candidateFrom(searched, formula === undefined ? next.end : next.at + formula.source.length);
  }
}

function candidateFrom(text: string, from: number): { at: number; end: number; opening: string } | undefined {
  CANDIDATE.lastIndex = from;
  const found = CANDIDATE.exec(text);
  return found === null ? undefined : { at: found.index, end: CANDIDATE.lastIndex, opening: found[0] };
}

/** A formula that a line opens and does not close. */
export interface OpenMathematics {
  at: number;
  close: "\\)" | "\\]" | "$$";
  /** Whether the delimiter has the line to itself, so that blank lines can follow. */
  alone: boolean;
}

/** @param isWhole whether the line starts here */
export function openMathematics(line: string, isWhole = true): OpenMathematics | undefined {
  for (let next = candidateFrom(line, 0); next !== undefined; ) {
    const { at, end, opening } = next;
    const formula = mathematicsAt(line, at);
    if (formula === undefined) {
      const close = closingOf(line, at, opening, isWhole);
      if (close !== undefined) {
        return { at, close, alone: isWhole && close === "\\]" && line.trim() === opening };
      }
    }
    next = candidateFrom(line, formula === undefined ? end : at + formula.source.length);
  }
  return undefined;
}

function closingOf(
  line: string,
  at: number,
  opening: string,
  isWhole: boolean,
): OpenMathematics["close"] | undefined {
  if (opening === "\\(") return "\\)";
  if (opening === "\\[" && isKept(line, at)) return "\\]";
  const isAtEdge =
    (isWhole && line.slice(0, at).trim() === "") || line.slice(at + opening.length).trim() === "";
  return opening === "$$" && isAtEdge ? opening : undefined;
}

/**
 * Whether the backslash at a place is shown although Markdown would remove it: a delimiter without its partner. In
 * `\[x](y)` and `\[ \]` it keeps a link or a task from being one.
 */
export function isKept(text: string, at: number): boolean {
  const next = text[at + 1] ?? "";
  if (text[at] !== "\\" || !"()[]".includes(next) || next === "") return false;
  return next !== "[" || !/^[^[\]\\\n]{0,200}\\?\]/.test(text.slice(at + 2, at + 204));
}
