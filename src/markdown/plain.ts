import type { Style } from "./style.js";

/** For what formats nothing. */
export const plain: Style = {
  units: 4000,
  counts: "written",
  maxMarks: Number.POSITIVE_INFINITY,
  escape: (text) => text,
  escapeAddress: (url) => url,
  escapeCode: (text) => text,
  codeText: (text) => text,
  quotedLine: "\n> ",
  quote: { open: "> ", close: "", seen: true },
  heading: () => undefined,
  code: () => undefined,
  codeBlock: () => undefined,
  link: () => undefined,
  codeStandsAlone: true,
  bullet: () => "-",
  task: { open: "- [ ]", done: "- [x]" },
};
