import type { Mark, Style } from "./style.js";

const bold: Mark = { open: "<b>", close: "</b>", isCut: true };
const BULLETS = ["•", "◦", "▪"];

/** The HTML of Telegram's Bot API. Its length limit applies to the visible text. */
export const telegramHtml: Style = {
  units: 4096,
  counts: "visible",
  // Telegram silently ignores formatting after the hundredth.
  maxMarks: 100,
  escape: escaped,
  escapeAddress: escaped,
  escapeCode: escaped,
  // Telegram turns a tab into one space.
  codeText: (text) => text.replaceAll("\t", "    "),
  quotedLine: "\n",
  bold,
  italic: { open: "<i>", close: "</i>", isCut: true },
  strike: { open: "<s>", close: "</s>", isCut: true },
  spoiler: { open: "<tg-spoiler>", close: "</tg-spoiler>", isCut: true },
  quote: { open: "<blockquote>", close: "</blockquote>" },
  heading: () => bold,
  code: () => ({ open: "<code>", close: "</code>" }),
  codeBlock: (language) =>
    language === undefined
      ? { open: "<pre>", close: "</pre>" }
      : { open: `<pre><code class="language-${language}">`, close: "</code></pre>" },
  link: (url) =>
    isLinkable(url)
      ? { open: `<a href="${escaped(url).replaceAll('"', "&quot;")}">`, close: "</a>" }
      : undefined,
  codeStandsAlone: true,
  bullet: (depth) => BULLETS[Math.min(depth, BULLETS.length - 1)] ?? "•",
  task: { open: "☐", done: "☑" },
};

/** Telegram drops or rewrites links to other URLs, such as `http://localhost` and `mailto:`. */
function isLinkable(url: string): boolean {
  if (/^tg:\/\/./i.test(url)) return true;
  return /^https?:\/\//i.test(url) && URL.canParse(url) && /[^.]\.[^.]/.test(new URL(url).hostname);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
