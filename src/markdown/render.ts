import { displayWidth } from "../core/display-width.js";
import { AtomWriter, type Gap, type Place } from "./atom-writer.js";
import type { Atom } from "./atoms.js";
import {
  type Block,
  type Cell,
  hasSpoiler,
  type Inline,
  type Item,
  plainText,
  readableAddress,
} from "./document.js";
import { removeInvalidMarks } from "./invalid-marks.js";
import { isSameMark, type Mark, type Style } from "./style.js";
import { tableGrid, type WrittenCell } from "./table.js";

/** Deeper lists are not indented further. */
const MAX_INDENT = 8;
const RULE = "─".repeat(10);
/** Fits on a phone screen in landscape. */
const MAX_GRID = 60;

/** A document in a platform's markup, for messages of at least `room` units. */
export function render(blocks: readonly Block[], style: Style, room: number): Atom[] {
  const writer = new AtomWriter(style, room);
  const context: Context = { style, writer, room, depth: 0 };
  renderBlocks(blocks, context, { marks: [], indent: "" }, "\n\n");
  return removeInvalidMarks(writer.atoms);
}

type Table = Extract<Block, { type: "table" }>;

interface Context {
  style: Style;
  writer: AtomWriter;
  room: number;
  /** The number of enclosing lists. */
  depth: number;
}

function renderBlocks(blocks: readonly Block[], context: Context, place: Place, gap: Gap): void {
  blocks.forEach((block, index) => {
    const before = blocks[index - 1];
    if (before !== undefined) context.writer.gap(gap, place, before.type === "heading" ? 1 : undefined);
    renderBlock(block, context, place);
  });
}

function renderBlock(block: Block, context: Context, place: Place): void {
  switch (block.type) {
    case "paragraph":
      renderInlines(block.content, context, place);
      break;
    case "heading": {
      const mark = context.style.heading(block.level, context.depth === 0 ? "block" : "item");
      renderInlines(block.content, context, within(place, mark));
      break;
    }
    case "list": {
      const gap = block.loose ? "\n\n" : "\n";
      block.items.forEach((item, index) => {
        if (index > 0) context.writer.gap(gap, place);
        renderItem(item, context, place, gap);
      });
      break;
    }
    case "quote":
      context.writer.endLine(place);
      renderBlocks(block.blocks, context, { ...within(place, context.style.quote), indent: "" }, "\n\n");
      break;
    case "code":
      renderCode(block.text, block.language, context, place);
      break;
    case "math":
      // Platforms show no formulas; as code, their source stays as it is.
      renderCode(block.source, undefined, context, place);
      break;
    case "table":
      renderTable(block, context, place);
      break;
    case "rule":
      context.writer.text(RULE, place);
  }
}

function renderItem({ number, done, blocks }: Item, context: Context, place: Place, gap: Gap): void {
  const { style, writer, depth } = context;
  const bullet = number === undefined ? style.bullet(depth) : `${number}.`;
  writer.bullet(done === undefined ? bullet : done ? style.task.done : style.task.open, place);
  const indent = depth < MAX_INDENT ? `${place.indent}  ` : place.indent;
  renderBlocks(blocks, { ...context, depth: depth + 1 }, { ...place, indent }, gap);
}

function renderCode(text: string, language: string | undefined, context: Context, place: Place): void {
  const { style, writer } = context;
  writer.endLine(place);
  const mark = style.codeBlock(language, writer.lineBreak(place));
  writer.code(text, { ...within(place, mark), indent: "" }, "block");
}

function renderTable(table: Table, context: Context, place: Place): void {
  // A grid is a code block, which cannot contain spoilers.
  const hides = context.style.spoiler !== undefined && hasSpoiler([table]);
  const rows = [table.header, ...table.rows].map((cells) => cells.map(plainCell));
  const aligns = table.header.map(({ align }) => align);
  const grid = hides ? undefined : tableGrid(rows, aligns, MAX_GRID);
  if (grid === undefined) renderRecords(table, context, place);
  else renderCode(grid.join("\n"), undefined, context, place);
}

function plainCell({ content }: Cell): WrittenCell {
  const text = plainText(content).replaceAll(/\s+/g, " ");
  return { text, width: displayWidth(text) };
}

/** A table that is too wide, with one line per cell. */
function renderRecords({ header, rows }: Table, context: Context, place: Place): void {
  rows.forEach((cells, index) => {
    if (index > 0) context.writer.gap("\n\n", place);
    cells.forEach(({ content }, column) => {
      if (column > 0) context.writer.gap("\n", place);
      renderInlines(header[column]?.content ?? [], context, within(place, context.style.bold));
      context.writer.text(": ", place);
      renderInlines(content, context, place);
    });
  });
}

function renderInlines(content: readonly Inline[], context: Context, place: Place): void {
  for (const inline of content) renderInline(inline, context, place);
}

function renderInline(inline: Inline, context: Context, place: Place): void {
  switch (inline.type) {
    case "text":
      context.writer.text(inline.text, place);
      break;
    case "bold":
    case "italic":
    case "strike":
    case "spoiler":
      renderInlines(inline.content, context, within(place, context.style[inline.type]));
      break;
    case "code":
      renderCodeSpan(inline.text, context, place);
      break;
    case "math":
      renderCodeSpan(inline.source.replaceAll("\n", " "), context, place);
      break;
    case "link":
      renderLink(inline.url, inline.content, context, place);
  }
}

function renderCodeSpan(text: string, { style, writer }: Context, place: Place): void {
  const mark = style.code(text);
  if (mark === undefined || text.trim() === "" || (style.codeStandsAlone && losesMarks(place, style))) {
    writer.text(text, place);
  } else {
    const around = style.codeStandsAlone ? place.marks.filter((each) => each === style.quote) : place.marks;
    writer.code(text, { ...place, marks: [...around, mark] }, "line");
  }
}

/** Whether marking the text as code would move it out of its link or spoiler. */
function losesMarks(place: Place, { spoiler }: Style): boolean {
  return isInLink(place) || (spoiler !== undefined && place.marks.includes(spoiler));
}

function renderLink(url: string, content: readonly Inline[], context: Context, place: Place): void {
  const { writer } = context;
  const label = plainText(content);
  if (label.trim() === "" || label === readableAddress(url)) {
    writer.address(readableAddress(url), place);
    return;
  }
  const mark = isInLink(place) ? undefined : linkMark(url, label, context);
  const first = writer.atoms.length;
  renderInlines(content, context, within(place, mark));
  if (mark === undefined) {
    writer.text(" (", place);
    writer.address(readableAddress(url), place);
    writer.text(")", place);
  } else writer.appendVisible(first, ` (${url})`);
}

/** Undefined if the mark would take up too much of each message that contains part of the link. */
function linkMark(url: string, label: string, { style, room }: Context): Mark | undefined {
  const mark = style.link(url, label);
  if (mark === undefined) return undefined;
  const length = style.counts === "visible" ? url.length : mark.open.length + mark.close.length;
  return length <= room / 3 ? { ...mark, isLink: true } : undefined;
}

function isInLink({ marks }: Place): boolean {
  return marks.some(({ isLink }) => isLink);
}

/** Adds a mark, unless it is already open. */
function within(place: Place, mark: Mark | undefined): Place {
  const isThere = place.marks.some((each) => isSameMark(each, mark));
  return mark === undefined || isThere ? place : { ...place, marks: [...place.marks, mark] };
}
