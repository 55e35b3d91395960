/** How a piece of text looks. `mark` is what only belongs to the notation. */
export type Style = "bold" | "italic" | "strike" | "code" | "url" | "mark";

export interface Piece {
  text: string;
  styles: readonly Style[];
}

export interface InlineOptions {
  /** Nothing follows on this line. */
  complete: boolean;
  /** The character before the text. */
  before: string;
  /** The marks of spans stay, as pieces of their own. */
  keepMarks: boolean;
}

/** A span must end so many characters after it began. Bounds both how long output waits and what looking for the end costs. */
const MAX_SPAN = 500;
/** More of one mark in a row are several runs. */
const MAX_RUN = 20;

const special = /[\\`*_~[!<]/;
const plain = /[^\\`*_~[!<]+/y;
const link = /!?\[((?:\\.|[^[\]\\])*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:[ \t]+"[^"]*")?)\)/y;
const notALink = /!?\[(?:\\.|[^[\]\\])*(?:\[|\][^(])/y;
const autolink = /<(https?:\/\/[^\s<>]*)>/y;
const notAnAutolink = /<(?:[^h]|[^\s<>]*[\s<>])/y;

/** A span; or that it is none; or that more of the line is needed to tell. */
type Found = { pieces: Piece[]; end: number } | "none" | "wait";

/**
 * The spans at the beginning of the text, as far as they can be told, and how far that is. What is returned does not depend on
 * how the line is cut: text is held back only while it could be the beginning of a span.
 */
export function takeInline(text: string, options: InlineOptions): { pieces: Piece[]; end: number } {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    const literal = matchAt(plain, text, at)?.[0];
    if (literal !== undefined) {
      pieces.push({ text: literal, styles: [] });
      at += literal.length;
      continue;
    }
    const found = spanAt(text, at, options);
    if (found === "wait") break;
    if (found === "none") {
      const run = runLength(text, at);
      pieces.push({ text: text.slice(at, at + run), styles: [] });
      at += run;
    } else {
      pieces.push(...found.pieces);
      at = found.end;
    }
  }
  return { pieces, end: at };
}

function spanAt(text: string, at: number, options: InlineOptions): Found {
  // Nothing that comes later can change what is found when the limit is in sight.
  const final = options.complete || text.length > at + MAX_SPAN;
  if (isOpenRun(text, at, options)) return "wait";
  switch (text[at]) {
    case "\\":
      return escapeAt(text, at);
    case "`":
      return codeAt(text, at, final, options);
    case "[":
    case "!":
      return text[at] === "!" && text[at + 1] !== "[" ? "none" : linkAt(text, at, final, options);
    case "<":
      return autolinkAt(text, at, final);
    default:
      return emphasisAt(text, at, final, options);
  }
}

function escapeAt(text: string, at: number): Found {
  const escaped = text[at + 1];
  if (escaped === undefined || !/[!-/:-@[-`{-~]/.test(escaped)) return "none";
  return { pieces: [{ text: escaped, styles: [] }], end: at + 2 };
}

function codeAt(text: string, at: number, final: boolean, options: InlineOptions): Found {
  const length = runLength(text, at);
  const limit = at + MAX_SPAN;
  for (
    let i = next(backtick, text, at + length);
    i < limit;
    i = next(backtick, text, i + runLength(text, i))
  ) {
    if (isOpenRun(text, i, options)) return "wait";
    if (runLength(text, i) !== length) continue;
    const code: Piece = { text: text.slice(at + length, i), styles: ["code"] };
    return { pieces: betweenMarks("`".repeat(length), [code], options), end: i + length };
  }
  return final ? "none" : "wait";
}

function betweenMarks(mark: string, pieces: readonly Piece[], { keepMarks }: InlineOptions): Piece[] {
  const marks: Piece[] = keepMarks ? [{ text: mark, styles: ["mark"] }] : [];
  return [...marks, ...pieces, ...marks];
}

function linkAt(text: string, at: number, final: boolean, options: InlineOptions): Found {
  const [all, label = "", url = ""] = matchAt(link, text, at) ?? [];
  if (all === undefined || all.length > MAX_SPAN) {
    return final || matchAt(notALink, text, at) !== undefined ? "none" : "wait";
  }
  const end = at + all.length;
  if (label === url || label === "") return { pieces: [{ text: url, styles: ["url"] }], end };
  const { pieces } = takeInline(label, { ...options, complete: true, before: "" });
  return { pieces: [...pieces, { text: ` (${url})`, styles: ["url"] }], end };
}

function autolinkAt(text: string, at: number, final: boolean): Found {
  const [all, url = ""] = matchAt(autolink, text, at) ?? [];
  if (all !== undefined && all.length <= MAX_SPAN) {
    return { pieces: [{ text: url, styles: ["url"] }], end: at + all.length };
  }
  return final || matchAt(notAnAutolink, text, at) !== undefined ? "none" : "wait";
}

const backtick = /`/g;
/** What matters between the marks of an emphasis. */
const closers: Readonly<Record<string, RegExp>> = { "*": /[\\`*]/g, _: /[\\`_]/g, "~": /[\\`~]/g };

const emphases: Readonly<Record<string, readonly Style[]>> = {
  "*": ["italic"],
  _: ["italic"],
  "**": ["bold"],
  __: ["bold"],
  "***": ["bold", "italic"],
  ___: ["bold", "italic"],
  "~~": ["strike"],
};

function emphasisAt(text: string, at: number, final: boolean, options: InlineOptions): Found {
  const mark = text.slice(at, at + runLength(text, at));
  const styles = emphases[mark];
  const [before, after] = [text[at - 1] ?? options.before, text[at + mark.length]];
  if (styles === undefined || after === undefined || /\s/.test(after)) return "none";
  // snake_case has no emphasis.
  if (mark.startsWith("_") && isWord(before)) return "none";
  const close = closingMark(text, at, mark, final, options);
  if (typeof close === "string") return close;
  const inside = takeInline(text.slice(at + mark.length, close), {
    ...options,
    complete: true,
    before: mark,
  });
  const pieces = inside.pieces.map((piece) => ({ ...piece, styles: [...styles, ...piece.styles] }));
  return { pieces: betweenMarks(mark, pieces, options), end: close + mark.length };
}

/** Where the mark that ends an emphasis is; marks in code and behind a backslash do not count. */
function closingMark(
  text: string,
  at: number,
  mark: string,
  final: boolean,
  options: InlineOptions,
): number | "none" | "wait" {
  let code = 0;
  const limit = at + MAX_SPAN;
  const marks = closers[mark.charAt(0)] ?? backtick;
  for (let i = next(marks, text, at + mark.length); i < limit; ) {
    const [character, run] = [text[i], runLength(text, i)];
    if (isOpenRun(text, i, options)) return "wait";
    if (character === "`") code = code === 0 ? run : code === run ? 0 : code;
    else if (code === 0 && character === "\\") i++;
    else if (code === 0 && character === mark[0] && run === mark.length && canClose(text, i, run)) return i;
    i = next(marks, text, i + run);
  }
  return final ? "none" : "wait";
}

/** Where the next of them is; infinitely far away when there is none. */
function next(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? Number.POSITIVE_INFINITY;
}

function canClose(text: string, at: number, run: number): boolean {
  if (/\s/.test(text[at - 1] ?? " ")) return false;
  return text[at] !== "_" || !isWord(text[at + run] ?? "");
}

/** Whether what comes next can still belong to it. */
function isOpenRun(text: string, at: number, { complete }: InlineOptions): boolean {
  return !complete && special.test(text[at] ?? "") && at + runLength(text, at) === text.length;
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}

/** How often the character there is repeated, when it is one that marks are made of. */
function runLength(text: string, at: number): number {
  const character = text[at] ?? "";
  if (!"`*_~".includes(character)) return 1;
  let end = at + 1;
  while (text[end] === character && end - at < MAX_RUN) end++;
  return end - at;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
