import { inertBackticks, plain } from "./plain.js";
import type { Style } from "./style.js";

const ZERO_WIDTH_SPACE = "\u200b";

/** At the start of a line: a heading, a list, a quotation or small print. */
const lineMarker = /^(?:[-+>]|#{1,3}|>>>|-#|\d{1,9}[.)])$/;

/** Discord's Markdown. Discord counts code points; there are never fewer UTF-16 units, so counting those is safe. */
export const discord: Style = {
  ...plain,
  units: 2000,
  escape(text) {
    const escaped = text
      .replace(/[\\*_~`|<[\]]/g, "\\$&")
      // The request states who is pinged; this only keeps the text from looking like a ping.
      .replace(/@(?=everyone|here|[!&\d])/g, `@${ZERO_WIDTH_SPACE}`);
    return lineMarker.test(text) ? escaped.replace(/[-+>#.)]/, "\\$&") : escaped;
  },
  codeText: inertBackticks,
  bold: { open: "**", close: "**", needs: "text" },
  // Stars for italics next to the stars of bold text are ambiguous.
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
  // Discord shows a link whose label looks like a URL as text.
  link: (url, label) =>
    /^https?:\/\/./i.test(url) && !label.includes("://")
      ? { open: "[", close: `](${url.replace(/[\s()<>\\]/g, percent)})` }
      : undefined,
  codeStandsAlone: false,
  task: { open: "- ☐", done: "- ☑" },
};

function percent(character: string): string {
  return encodeURIComponent(character).replace("(", "%28").replace(")", "%29");
}
