import type { Dialect } from "../../core/dialect.js";
import { pageDialect } from "../../core/page/page-dialect.js";
import { sectionOf } from "./section.js";
import { NAME } from "./wire.js";

/** A transcript as Markdown, such as for an issue. Only written. */
export const markdown: Dialect = pageDialect({
  name: NAME,
  title: "Markdown page",
  extension: "md",
  embeds: false,
  open: () => {
    let isFirst = true;
    return {
      push: (shown) => {
        const gap = isFirst ? "" : "\n";
        isFirst = false;
        return `${gap}${sectionOf(shown)}\n`;
      },
      finish: () => "",
    };
  },
});
