import type { Mark, Style } from "./style.js";

const bold: Mark = { open: "<b>", close: "</b>" };
const BULLETS = ["• ", "◦ ", "▪ "];

/** The HTML of Telegram's Bot API. Its limit is on what is seen. */
export const telegramHtml: Style = {
  units: 4096,
  counts: "seen",
  // What follows the hundredth loses its formatting without a word.
  maxMarks: 100,
  escape: escaped,
  escapeCode: escaped,
  escapeAddress: escaped,
  quotedLine: "\n",
  // The service makes one space of it.
  tab: "    ",
  bold,
  italic: { open: "<i>", close: "</i>" },
  strike: { open: "<s>", close: "</s>" },
  quote: { open: "<blockquote>", close: "</blockquote>" },
  heading: () => bold,
  code: () => ({ open: "<code>", close: "</code>" }),
  codeBlock: (language) =>
    language === undefined
      ? { open: "<pre>", close: "</pre>" }
      : { open: `<pre><code class="language-${language}">`, close: "</code></pre>" },
  link: (url) =>
    /^(?:https?:\/\/|tg:\/\/|mailto:)./i.test(url)
      ? { open: `<a href="${escaped(url).replaceAll('"', "&quot;")}">`, close: "</a>" }
      : undefined,
  codeStandsAlone: true,
  bullet: (depth) => BULLETS[Math.min(depth, BULLETS.length - 1)] ?? "• ",
  task: { open: "☐ ", done: "☑ " },
};

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
