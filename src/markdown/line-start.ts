/** The kind of a Markdown line, from its start. */
export interface LineStart {
  kind: "blank" | "text" | "heading" | "item" | "rule" | "row" | "fence";
  /** The number of `>` before it. */
  quotes: number;
  /** The number of spaces. */
  indent: number;
  /** `##`, `-` or `1.` */
  marker: string;
  /** The text after the marker. */
  text: string;
}

/** A line whose kind is not clear from this many characters is text. */
const MAX_START = 200;

const undecided = /^(?:[ \t]*>)*[ \t]*(?:#{1,6}[ \t]*|[-*_+][-*_+ \t]*|\d{1,9}[.)]?[ \t]*|`{1,2}|~{1,2})?$/;
const containers = /^((?:[ \t]*>)*)([ \t]*)/;

/** Undefined while the rest of the line can still change its kind. */
export function lineStart(line: string, complete: boolean): LineStart | undefined {
  const beginning = line.slice(0, MAX_START);
  const isOpen = undecided.test(beginning);
  const isLong = line.length > MAX_START;
  if (isOpen && !complete && !isLong) return undefined;
  const [all = "", quoting = "", spaces = ""] = containers.exec(beginning) ?? [];
  const quotes = quoting.replace(/[^>]/g, "").length;
  // One space belongs to the quotation mark.
  const indent = spaces.length - (quotes > 0 && spaces !== "" ? 1 : 0);
  const text = line.slice(all.length);
  const place = { quotes, indent, marker: "", text };
  if (isOpen && isLong) return { ...place, kind: "text" };
  return { ...place, ...kindOf(text) };
}

function kindOf(text: string): Pick<LineStart, "kind"> & Partial<LineStart> {
  if (text === "") return { kind: "blank" };
  if (text.startsWith("|")) return { kind: "row" };
  if (/^(?:`{3}|~{3})/.test(text)) return { kind: "fence" };
  if (/^([-*_])(?:[ \t]*\1){2,}[ \t]*$/.test(text)) return { kind: "rule" };
  const [heading, level] = /^(#{1,6})[ \t]+/.exec(text) ?? [];
  if (heading !== undefined)
    return { kind: "heading", marker: level ?? "", text: text.slice(heading.length) };
  const [item, marker] = /^([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/.exec(text) ?? [];
  if (item !== undefined) return { kind: "item", marker: marker ?? "", text: text.slice(item.length) };
  return { kind: "text" };
}

/** An open code block. */
export interface Fence {
  mark: string;
  quotes: number;
}

/** The fence that a line opens; undefined if it is a line of text that starts with inline code. */
export function fenceOf({ text, quotes }: LineStart): (Fence & { info: string }) | undefined {
  const [, mark = "", info = ""] = /^(`{3,}|~{3,})(.*)/.exec(text) ?? [];
  return mark.startsWith("`") && info.includes("`") ? undefined : { mark, quotes, info: info.trim() };
}

/** A line after a fence: code, the end of the block, or outside the quotation that contains the block. */
export function inFence({ mark, quotes }: Fence, line: string): { code: string } | "end" | "outside" {
  const code = withoutQuotes(line, quotes);
  if (code === undefined) return "outside";
  const end = code.trim();
  return end.length >= mark.length && end === mark.charAt(0).repeat(end.length) ? "end" : { code };
}

/** The line without its quotation marks (`> > text`); undefined if it has fewer of them. */
export function withoutQuotes(line: string, quotes: number): string | undefined {
  let at = 0;
  for (let left = quotes; left > 0; left--) {
    while (line[at] === " " || line[at] === "\t") at++;
    if (line[at] !== ">") return undefined;
    at++;
  }
  return line.slice(quotes > 0 && line[at] === " " ? at + 1 : at);
}
