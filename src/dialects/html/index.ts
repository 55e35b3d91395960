import type { Dialect } from "../../core/dialect.js";
import { pageDialect } from "../../core/page/page-dialect.js";
import { openPage } from "./framing.js";
import { NAME } from "./wire.js";

/** A transcript as one self-contained web page without scripts, to read, send and print. Only written. */
export const html: Dialect = pageDialect({
  name: NAME,
  title: "HTML page",
  extension: "html",
  embeds: true,
  open: openPage,
});
