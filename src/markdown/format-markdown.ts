import { DragomanError } from "../core/error.js";
import { type Chunk, chunk } from "./chunk.js";
import { discord } from "./discord.js";
import { plain } from "./plain.js";
import { readMarkdown } from "./read-markdown.js";
import { render } from "./render.js";
import type { Style } from "./style.js";
import { telegramHtml } from "./telegram-html.js";
import { whatsapp } from "./whatsapp.js";

export type Format = "telegram-html" | "discord" | "whatsapp" | "plain";

export const styles: Readonly<Record<Format, Style>> = {
  "telegram-html": telegramHtml,
  discord,
  whatsapp,
  plain,
};

/** Nested marks around part of a word take about forty. */
const MIN_UNITS = 64;

/**
 * Markdown as a platform's messages; none if nothing in it is visible. `units` is the length limit of a message (default:
 * the platform's), `first` that of the first message, such as a caption.
 *
 *     formatMarkdown("**Hi** `x`", "telegram-html") // [{ text: "<b>Hi</b> <code>x</code>", plain: "Hi x" }]
 */
export function formatMarkdown(
  markdown: string,
  format: Format,
  limits: { units?: number; first?: number } = {},
): Chunk[] {
  const style = styles[format];
  const units = limits.units ?? style.units;
  const first = Math.min(limits.first ?? units, units);
  if (!(first >= MIN_UNITS)) {
    const message = `Messages of ${first} characters are too short to be formatted.`;
    throw new DragomanError("config/invalid", message, { hint: `Allow at least ${MIN_UNITS} characters.` });
  }
  return chunk(render(readMarkdown(markdown), style, first), style, units, first);
}
