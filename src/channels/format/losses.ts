import type { Loss } from "../../core/types.js";
import type { Block } from "./document.js";
import { readMarkdown } from "./read-markdown.js";

/** `![a chart](https://…)` */
const IMAGE = /!\[[^[\]\n]*\]\(/;

/** What of an answer in Markdown a chat platform cannot show as it was meant. */
export function markdownLosses(markdown: string): Loss[] {
  const hasTable = markdown.includes("|") && readMarkdown(markdown).some(holdsTable);
  return [
    ...(hasTable
      ? [approximated("a table", "the platform shows no tables; it is sent as text in columns")]
      : []),
    ...(IMAGE.test(markdown)
      ? [approximated("an image by link", "the platform shows no images in a text; its address is sent")]
      : []),
  ];
}

function approximated(what: string, why: string): Loss {
  return { at: "/content", what, why, severity: "approximated" };
}

function holdsTable(block: Block): boolean {
  switch (block.type) {
    case "table":
      return true;
    case "quote":
      return block.blocks.some(holdsTable);
    case "list":
      return block.items.some(({ blocks }) => blocks.some(holdsTable));
    default:
      return false;
  }
}
