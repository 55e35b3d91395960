import { findMathematics, openMathematics } from "../../core/mathematics.js";
import { escapeHtml } from "../../core/page/escape-html.js";
import { closesFence, fenceLine, opensFence } from "../../core/page/fence-line.js";

/**
 * Markdown as its author typed it, with code, bold text, headings and links styled. Every character of the text stays
 * visible, so the page loses none of it.
 */
export function styledText(text: string): string {
  return segmentsOf(text)
    .map(({ isCode, lines }) => (isCode ? styledCode(lines) : styledParagraphs(lines)))
    .join("");
}

interface Segment {
  isCode: boolean;
  /** Each with the line feed at its end, if any. */
  lines: string[];
}

/** Cuts a text at its code fences. Together, the segments are the text. */
function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  let opened: string | undefined;
  let lines: string[] = [];
  const end = (isCode: boolean) => {
    if (lines.length > 0) segments.push({ isCode, lines });
    lines = [];
  };
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const fence = fenceLine(line.replace(/\n$/, ""));
    if (opened === undefined && fence !== undefined && opensFence(fence)) {
      end(false);
      opened = fence.mark;
      lines.push(line);
    } else {
      lines.push(line);
      if (opened === undefined || fence === undefined || !closesFence(fence, opened)) continue;
      end(true);
      opened = undefined;
    }
  }
  end(opened !== undefined);
  return segments;
}

/** The first line opens the fence; the last one closes it, unless the text ends first. */
function styledCode(lines: readonly string[]): string {
  const html = lines.map((line, index) => {
    const isMark = index === 0 || (index === lines.length - 1 && fenceLine(line.trimEnd()) !== undefined);
    return isMark ? mark(line) : escapeHtml(line);
  });
  return codeBox(lines.join(""), html.join(""));
}

/** More lines than this scroll on a screen. */
const MANY_LINES = 24;

/** Long text scrolls on a screen and is printed in full. A scrolling box must be reachable with the keyboard. */
export function codeBox(text: string, html = escapeHtml(text)): string {
  const isLong = text.split("\n", MANY_LINES + 1).length > MANY_LINES || text.length > MANY_LINES * 90;
  const focus = isLong ? ' tabindex="0" role="group" aria-label="Long text"' : "";
  return `<div class="code"${focus}>${html}</div>`;
}

/** Blank lines are elements of their own, so that they can be lower than others. */
function styledParagraphs(lines: readonly string[]): string {
  let html = "";
  let isInGap: boolean | undefined;
  let closing: string | undefined;
  for (const line of lines) {
    const isBlank = line.trim() === "";
    if (isBlank !== isInGap) {
      html += `${isInGap === undefined ? "" : "</div>"}<div class="${isBlank ? "gap" : "text"}">`;
      isInGap = isBlank;
    }
    if (isBlank) {
      html += line;
      closing = undefined;
    } else if (closing === undefined) {
      html += styledLine(line);
      closing = openMathematics(line)?.close;
    } else {
      const end = line.indexOf(closing);
      const formula = end === -1 ? line : line.slice(0, end + closing.length);
      html += escapeHtml(formula) + styledInlines(line.slice(formula.length));
      if (end !== -1) closing = undefined;
    }
  }
  return `${html}</div>`;
}

/** A code span, bold text, or an address without the punctuation after it. */
const INLINE = /`[^`\n]+`|\*\*[^*\n]+\*\*|https?:\/\/[^\s<>"'`)\]}*]*[^\s<>"'`)\]}*.,;:!?]/g;

function styledLine(line: string): string {
  const [heading] = /^#{1,6} /.exec(line) ?? [];
  if (heading === undefined) return styledInlines(line);
  const text = styledInlines(line.slice(heading.length));
  return `<span class="heading">${mark(heading)}${text}</span>`;
}

/** Nothing in a formula is a mark. */
function styledInlines(line: string): string {
  let html = "";
  let from = 0;
  const open = openMathematics(line)?.at ?? line.length;
  for (const { at, source } of findMathematics(line.slice(0, open))) {
    html += `${styledMarks(line.slice(from, at))}<span class="math">${escapeHtml(source)}</span>`;
    from = at + source.length;
  }
  return html + styledMarks(line.slice(from, open)) + escapeHtml(line.slice(open));
}

function styledMarks(line: string): string {
  let html = "";
  let from = 0;
  for (const { 0: found, index } of line.matchAll(INLINE)) {
    html += escapeHtml(line.slice(from, index)) + styledInline(found);
    from = index + found.length;
  }
  return html + escapeHtml(line.slice(from));
}

function styledInline(found: string): string {
  if (found.startsWith("`")) return `<code>${between(found, "`")}</code>`;
  if (found.startsWith("*")) return `<strong>${between(found, "**")}</strong>`;
  return webLink(found, escapeHtml(found));
}

function between(found: string, marks: string): string {
  const text = escapeHtml(found.slice(marks.length, -marks.length));
  return `${mark(marks)}${text}${mark(marks)}`;
}

/** Marks of Markdown, which are fainter than the text. */
function mark(marks: string): string {
  return `<span class="mark">${escapeHtml(marks)}</span>`;
}

/** A link that tells the other site nothing about this page. `label` is HTML. */
export function webLink(url: string, label: string): string {
  return `<a href="${escapeHtml(url)}" rel="noreferrer noopener">${label}</a>`;
}
