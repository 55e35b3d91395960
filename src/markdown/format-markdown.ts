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

/** Marks of several kinds around a part of a word take about forty. */
const MIN_UNITS = 64;

/**
 * The messages that say on a platform what the Markdown says. `units` is the limit of a message where it is not the
 * platform's own, `first` that of the first one, such as a caption. Where there is nothing to see there is no message.
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
    throw new DragomanError(
      "config/invalid",
      `Messages of ${first} characters are too short to be formatted.`,
      {
        hint: `Allow ${MIN_UNITS} at least.`,
      },
    );
  }
  return chunk(render(readMarkdown(markdown), style, first), style, units, first);
}
