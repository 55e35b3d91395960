import { inertBackticks } from "./inert-backticks.js";
import type { Mark, Style } from "./style.js";

const bold: Mark = { open: "*", close: "*", needs: "words" };

/** What WhatsApp makes of a text. It has no escapes: marks that a text has by accident are seen or format it. */
export const whatsapp: Style = {
  units: 4000,
  counts: "written",
  maxMarks: Number.POSITIVE_INFINITY,
  escape: (text) => text,
  escapeAddress: (url) => url,
  escapeCode: (text) => text,
  codeText: inertBackticks,
  quotedLine: "\n> ",
  bold,
  italic: { open: "_", close: "_", needs: "words" },
  strike: { open: "~", close: "~", needs: "words" },
  quote: { open: "> ", close: "" },
  heading: () => bold,
  code: (text) => (text.includes("`") ? undefined : { open: "`", close: "`" }),
  codeBlock: () => ({ open: "```", close: "```" }),
  link: () => undefined,
  codeStandsAlone: true,
  bullet: () => "-",
  task: { open: "- ☐", done: "- ☑" },
};
