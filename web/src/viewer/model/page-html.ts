/** What a page with the viewer consists of. */
export interface PageParts {
  /** The content security policy. */
  policy: string;
  style: string;
  /** The address of the icon. */
  icon: string;
  script: string;
}

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
<noscript>The viewer needs JavaScript. To read a transcript without it: dragoman convert FILE --to html</noscript>
${PLACE}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** The page with a transcript in its place. */
export function filled(
  page: string,
  transcript: string,
): [before: string, transcript: string, after: string] {
  const at = page.indexOf(PLACE) + PLACE.length;
  return [page.slice(0, at), transcript, page.slice(at)];
}
