import type { Style } from "./style.js";

/** Breaks a word for the parser, not for the eye. */
const NOTHING = "\u200b";

/** Begins a heading, a list, a quotation or small print when it begins a line. */
const lineMarker = /^(?:[-+>]|#{1,3}|>>>|-#|\d{1,9}[.)])$/;

/** Discord's Markdown. It counts code points; units of UTF-16, of which there are never fewer, are the safer measure. */
export const discord: Style = {
  units: 2000,
  counts: "written",
  maxMarks: Number.POSITIVE_INFINITY,
  escape(text) {
    const escaped = text
      .replace(/[\\*_~`|<[\]]/g, "\\$&")
      .replace(/@(?=everyone|here|[!&\d])/g, `@${NOTHING}`);
    return lineMarker.test(text) ? escaped.replace(/[-+>#.)]/, "\\$&") : escaped;
  },
  escapeCode: (text) => text,
  escapeAddress: (url) => url,
  quotedLine: "\n> ",
  bold: { open: "**", close: "**" },
  italic: { open: "_", close: "_" },
  strike: { open: "~~", close: "~~" },
  quote: { open: "> ", close: "" },
  heading: (level, place) =>
    level <= 3 && place === "line"
      ? { open: `${"#".repeat(level)} `, close: "" }
      : { open: "**", close: "**" },
  code: (text) => (text.includes("`") ? { open: "`` ", close: " ``" } : { open: "`", close: "`" }),
  codeBlock: (language, line) => ({ open: `\`\`\`${language ?? ""}${line}`, close: `${line}\`\`\`` }),
  // A text that looks like an address itself makes the whole a text.
  link: (url, label) =>
    /^https?:\/\/./i.test(url) && !label.includes("://")
      ? { open: "[", close: `](${url.replace(/[\s()<>\\]/g, percent)})` }
      : undefined,
  codeStandsAlone: false,
  bullet: () => "- ",
  task: { open: "- ☐ ", done: "- ☑ " },
};

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`;
}
