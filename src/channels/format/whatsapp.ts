import type { Style } from "./style.js";

/** What WhatsApp makes of a text. It has no escapes: marks that a text has by accident are seen or format it. */
export const whatsapp: Style = {
  units: 4000,
  counts: "written",
  maxMarks: Number.POSITIVE_INFINITY,
  escape: (text) => text,
  escapeCode: (text) => text,
  escapeAddress: (url) => url,
  quotedLine: "\n> ",
  bold: { open: "*", close: "*" },
  italic: { open: "_", close: "_" },
  strike: { open: "~", close: "~" },
  quote: { open: "> ", close: "" },
  heading: () => ({ open: "*", close: "*" }),
  code: (text) => (text.includes("`") ? undefined : { open: "`", close: "`" }),
  codeBlock: () => ({ open: "```", close: "```" }),
  link: () => undefined,
  codeStandsAlone: true,
  bullet: () => "- ",
  task: { open: "- ☐ ", done: "- ☑ " },
};
