import type { Loss } from "../core/types.js";
import { hasSpoiler, someBlock } from "./document.js";
import { type Format, styles } from "./format-markdown.js";
import { readMarkdown } from "./read-markdown.js";

/** `![a chart](https://…)` */
const IMAGE = /!\[[^[\]\n]*\]\(/;

/** The parts of a Markdown answer that a chat platform with this format cannot show as intended. */
export function markdownLosses(markdown: string, format: Format): Loss[] {
  const blocks = markdown.includes("|") ? readMarkdown(markdown) : [];
  const losses: Loss[] = [];
  const add = (what: string, why: string) =>
    losses.push({ at: "/content", what, why, severity: "approximated" });
  if (someBlock(blocks, ({ type }) => type === "table")) {
    add("a table", "the platform shows no tables; it is sent as text in columns");
  }
  if (styles[format].spoiler === undefined && hasSpoiler(blocks)) {
    add("a spoiler", "the platform has no spoilers; the text is sent without hiding it");
  }
  if (IMAGE.test(markdown)) {
    add("an image by link", "the platform shows no images in a text; its address is sent");
  }
  return losses;
}
