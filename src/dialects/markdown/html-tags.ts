import { closesFence, fenceLine, opensFence } from "../../core/page/fence-line.js";

/** Escapes the start of each HTML tag outside code. In doubt, text is not code: the code then shows `&lt;`. */
export function withoutTags(text: string): string {
  if (!text.includes("<")) return text;
  const written: string[] = [];
  let paragraph: string[] = [];
  const end = () => {
    for (const line of escapeParagraph(paragraph)) written.push(line);
    paragraph = [];
  };
  for (const { line, isCode } of markCode(text)) {
    if (isCode || isBlank(line)) {
      end();
      written.push(line);
    } else paragraph.push(line);
  }
  end();
  return written.join("\n");
}

function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line);
}

interface OpenFence {
  mark: string;
  indent: number;
}

/**
 * The lines of a text, and whether each is in fenced code for certain. With two or more spaces before it, a fence may be
 * in a list item, which closes it where it ends. The width of a tab depends on what is before it.
 */
function markCode(text: string): { line: string; isCode: boolean }[] {
  let opened: OpenFence | undefined;
  let isCertain = true;
  return text.split("\n").map((line) => {
    const fence = fenceLine(line);
    if (opened === undefined) {
      if (!isCertain || fence === undefined || !opensFence(fence)) return { line, isCode: false };
      isCertain = /^ {0,3}$/.test(fence.indent);
      if (isCertain) opened = { mark: fence.mark, indent: fence.indent.length };
      return { line, isCode: isCertain };
    }
    const mayBeInItem = opened.indent >= 2;
    if (mayBeInItem && !isBlank(line) && !line.startsWith(" ".repeat(opened.indent))) {
      opened = undefined;
      isCertain = false;
      return { line, isCode: false };
    }
    if (fence !== undefined && closesFence(fence, opened.mark)) {
      const isDeep = fence.indent.startsWith("    ");
      if (!isDeep || mayBeInItem) {
        opened = undefined;
        isCertain = !isDeep && !fence.indent.includes("\t");
      }
    }
    return { line, isCode: true };
  });
}

/** If a line leaves a code span open, spans can begin and end on any of the lines. */
function escapeParagraph(lines: readonly string[]): string[] {
  const spans = lines.map(spansOf);
  const isCertain = spans.every((one) => one !== undefined);
  return lines.map((line, index) => escapeOutside(line, isCertain ? (spans[index] ?? []) : []));
}

interface Span {
  start: number;
  end: number;
}

/** The code spans of a line; undefined if one may begin or end on another line. */
function spansOf(line: string): Span[] | undefined {
  if (line.includes("\\`")) return undefined;
  const spans: Span[] = [];
  let opener: { start: number; length: number } | undefined;
  for (const { 0: run, index } of line.matchAll(/`+/g)) {
    if (opener === undefined) {
      // A bare address contains every character up to the next space, also backticks.
      const word =
        line
          .slice(spans.at(-1)?.end ?? 0, index)
          .split(/\s/)
          .at(-1) ?? "";
      if (/\/\/|www\./i.test(word)) return undefined;
      opener = { start: index, length: run.length };
    } else if (run.length === opener.length) {
      spans.push({ start: opener.start, end: index + run.length });
      opener = undefined;
    }
  }
  return opener === undefined ? spans : undefined;
}

function escapeOutside(line: string, spans: readonly Span[]): string {
  let escaped = "";
  let from = 0;
  for (const { start, end } of spans) {
    const span = line.slice(start, end);
    // In a table, `|` ends the cell and with it the span.
    escaped += escapeTags(line.slice(from, start)) + (span.includes("|") ? escapeTags(span) : span);
    from = end;
  }
  return escaped + escapeTags(line.slice(from));
}

/** An escaped character, an address in angle brackets, or the start of a tag, escaped or not. */
const TAG = /\\[^<]|<(?:https?|mailto):[^\s<>`|]+>|\\?<(?=[A-Za-z/!?])/g;

/** A backslash would not do: after a bare address, GitHub reads it as a part of the address. */
function escapeTags(text: string): string {
  return text.replaceAll(TAG, (found) => (found.endsWith("<") ? "&lt;" : found));
}
