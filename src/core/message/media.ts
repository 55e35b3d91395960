/** The start of the base64 of well-known file types. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^iVBORw0KGgo/, "image/png"],
  [/^\/9j\//, "image/jpeg"],
  [/^R0lGOD/, "image/gif"],
  // RIFF, four bytes of length, WEBP
  [/^UklGR.{6}XRUJQ/, "image/webp"],
  [/^JVBERi/, "application/pdf"],
];

/** The MIME type, if the first bytes identify it. */
export function typeOfBytes(base64: string): string | undefined {
  return beginnings.find(([beginning]) => beginning.test(base64))?.[1];
}

/** Without one pattern for the whole text: that would need stack in proportion to the data. */
export function isBase64(data: string): boolean {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return data !== "" && data.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(data.slice(0, data.length - padding));
}

/** The same bytes on one line. Mail programs and `base64` wrap long data; APIs refuse line breaks. */
export function withoutLineBreaks(base64: string): string {
  return /\s/.test(base64) ? base64.replaceAll(/\s+/g, "") : base64;
}

/** A block's URL: its own, or a `data:` URL with its bytes. */
export function addressOf(
  block: { data: string; mimeType: string; url?: never } | { url: string; data?: never },
): string {
  return block.data === undefined ? block.url : `data:${block.mimeType};base64,${block.data}`;
}

/** The contents of a base64 `data:` URL; undefined for any other URL. */
export function readDataUrl(url: string): { data: string; mimeType: string } | undefined {
  const comma = url.indexOf(",");
  const head = url.slice(0, comma);
  if (comma < 0 || !/^data:/i.test(head) || !/;base64$/i.test(head)) return undefined;
  const [mimeType = ""] = head.slice("data:".length).split(";");
  return { data: url.slice(comma + 1), mimeType };
}
