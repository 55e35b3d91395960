import { escapeHtml } from "./escape.js";

/**
 * Markdown as its author typed it, with code, bold text, headings and links styled. Every character of the text stays
 * visible, so the page loses none of it.
 */
export function styledText(text: string): string {
  return segmentsOf(text)
    .map(({ isCode, content }) =>
      isCode
        ? `<div class="code">${escapeHtml(content)}</div>`
        : `<div class="text">${styledLines(content)}</div>`,
    )
    .join("");
}

interface Segment {
  isCode: boolean;
  /** With the line feed at its end, if any. */
  content: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;

/** Cuts a text at its code fences. Together, the segments are the text. */
function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  let fence: string | undefined;
  let lines: string[] = [];
  const end = (isCode: boolean) => {
    if (lines.length > 0) segments.push({ isCode, content: lines.join("") });
    lines = [];
  };
  for (const line of text.split(/(?<=\n)/)) {
    const [, mark = "", info = ""] = FENCE.exec(line.replace(/\n$/, "")) ?? [];
    if (fence === undefined && mark !== "" && !(mark.startsWith("`") && info.includes("`"))) {
      end(false);
      fence = mark;
      lines.push(line);
    } else if (fence !== undefined && mark.startsWith(fence) && info.trim() === "") {
      lines.push(line);
      end(true);
      fence = undefined;
    } else lines.push(line);
  }
  end(fence !== undefined);
  return segments;
}

function styledLines(text: string): string {
  return text
    .split(/(?<=\n)/)
    .map((line) =>
      /^#{1,6} /.test(line) ? `<span class="heading">${styledLine(line)}</span>` : styledLine(line),
    )
    .join("");
}

/** A code span, bold text, or an address. */
const INLINE = /`[^`\n]+`|\*\*[^*\n]+\*\*|https?:\/\/[^\s<>"'`)\]}*]+/g;

function styledLine(line: string): string {
  let html = "";
  let from = 0;
  for (const { 0: found, index } of line.matchAll(INLINE)) {
    html += escapeHtml(line.slice(from, index)) + styledInline(found);
    from = index + found.length;
  }
  return html + escapeHtml(line.slice(from));
}

function styledInline(found: string): string {
  const text = escapeHtml(found);
  if (found.startsWith("`")) return `<code>${text}</code>`;
  if (found.startsWith("*")) return `<strong>${text}</strong>`;
  return webLink(found, text);
}

/** A link that tells the other site nothing about this page. `label` is HTML. */
export function webLink(url: string, label: string): string {
  return `<a href="${escapeHtml(url)}" rel="noreferrer noopener">${label}</a>`;
}
