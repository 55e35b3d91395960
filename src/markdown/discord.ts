import { inertBackticks } from "./inert-backticks.js";
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
      // Whom a message calls is said beside it; this is for those who only look at it.
      .replace(/@(?=everyone|here|[!&\d])/g, `@${NOTHING}`);
    return lineMarker.test(text) ? escaped.replace(/[-+>#.)]/, "\\$&") : escaped;
  },
  escapeAddress: (url) => url,
  escapeCode: (text) => text,
  codeText: inertBackticks,
  quotedLine: "\n> ",
  bold: { open: "**", close: "**", needs: "text" },
  // Beside the stars of bold text, stars for italics are ambiguous.
  italic: { open: "_", close: "_", needs: "words" },
  strike: { open: "~~", close: "~~", needs: "text" },
  spoiler: { open: "||", close: "||", needs: "text" },
  quote: { open: "> ", close: "" },
  heading: (level, place) =>
    level <= 3 && place === "block"
      ? { open: `${"#".repeat(level)} `, close: "" }
      : { open: "**", close: "**", needs: "text" },
  code: (text) => (text.includes("`") ? { open: "`` ", close: " ``" } : { open: "`", close: "`" }),
  codeBlock: (language, line) => ({ open: `\`\`\`${language ?? ""}${line}`, close: `${line}\`\`\`` }),
  // A text that looks like an address itself makes the whole a text.
  link: (url, label) =>
    /^https?:\/\/./i.test(url) && !label.includes("://")
      ? { open: "[", close: `](${url.replace(/[\s()<>\\]/g, percent)})` }
      : undefined,
  codeStandsAlone: false,
  bullet: () => "-",
  task: { open: "- ☐", done: "- ☑" },
};

function percent(character: string): string {
  return encodeURIComponent(character).replace("(", "%28").replace(")", "%29");
}
