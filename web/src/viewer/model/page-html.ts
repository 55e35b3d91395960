/** What a page with the viewer consists of. */
export interface PageParts {
  /** The content security policy. */
  policy: string;
  style: string;
  /** The address of the icon. */
  icon: string;
  script: string;
}

/** The place of the text for readers without scripts. The first in the page: its script has the tag, too. */
const TEXT = "<noscript>";
const TEXT_END = "</noscript>";

/** The place of an embedded transcript: an element that browsers do not execute. */
const PLACE = '<script type="text/plain" id="transcript">';

/** A self-contained page with the viewer and an empty place for a transcript. */
export function pageHtml({ policy, style, icon, script }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="${icon}">
<title>Transcript · Dragoman</title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
${TEXT}The viewer needs JavaScript.${TEXT_END}
${PLACE}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** The page with a transcript, and its text for readers without scripts, in their places. */
export function filled(page: string, text: readonly BlobPart[], transcript: string): BlobPart[] {
  const textAt = page.indexOf(TEXT) + TEXT.length;
  const textEnd = page.indexOf(TEXT_END, textAt);
  const at = page.indexOf(PLACE, textEnd) + PLACE.length;
  return [page.slice(0, textAt), ...text, page.slice(textEnd, at), transcript, page.slice(at)];
}
