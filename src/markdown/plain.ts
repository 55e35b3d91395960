import type { Style } from "./style.js";

/** For places without formatting, and the base of the styles that are close to plain text. */
export const plain: Style = {
  units: 4000,
  counts: "written",
  maxMarks: Number.POSITIVE_INFINITY,
  escape: (text) => text,
  escapeAddress: (url) => url,
  escapeCode: (text) => text,
  codeText: (text) => text,
  quotedLine: "\n> ",
  quote: { open: "> ", close: "", isVisible: true },
  heading: () => undefined,
  code: () => undefined,
  codeBlock: () => undefined,
  link: () => undefined,
  codeStandsAlone: true,
  bullet: () => "-",
  task: { open: "- [ ]", done: "- [x]" },
};

/** Code whose own backticks do not end it: a zero-width space separates them. */
export function inertBackticks(code: string, place: "block" | "line"): string {
  const ends = place === "block" ? "```" : "``";
  return code.includes(ends) ? code.replace(/`(?=`)/g, "`\u200b") : code;
}
