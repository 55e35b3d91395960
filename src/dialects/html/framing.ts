import { escapeHtml } from "../../core/page/escape-html.js";
import type { PageWriter } from "../../core/page/page-dialect.js";
import type { ShownOnPage } from "../../core/page/shown-message.js";
import { articleOf } from "./article.js";
import { STYLE } from "./style.js";

/** The page may show embedded media and use its own style sheet; it runs and loads nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:";

/** Writes the head of the page before the first message, and its end after the last. */
export function openPage(): PageWriter {
  let isOpen = false;
  return {
    push: (shown) => {
      const head = isOpen ? "" : headOf(shown);
      isOpen = true;
      return `${head}${articleOf(shown)}\n`;
    },
    finish: () => (isOpen ? END : `${headOf()}<p class="empty">No messages.</p>\n${END}`),
  };
}

function headOf(first?: ShownOnPage): string {
  const message = first?.message;
  const title = message?.role === "session" ? message.title : undefined;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="dragoman">
<title>${escapeHtml(title ?? "Conversation")}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${message?.role === "session" ? "" : "<h1>Conversation</h1>\n"}`;
}

const END = `</main>
</body>
</html>
`;
