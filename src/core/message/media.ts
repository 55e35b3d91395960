/** How the base64 of well-known files begins. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^iVBORw0KGgo/, "image/png"],
  [/^\/9j\//, "image/jpeg"],
  [/^R0lGOD/, "image/gif"],
  // RIFF, four bytes of length, WEBP
  [/^UklGR.{6}XRUJQ/, "image/webp"],
  [/^JVBERi/, "application/pdf"],
];

/** The type that the bytes have, where their beginning says it beyond doubt. */
export function typeOfBytes(base64: string): string | undefined {
  return beginnings.find(([beginning]) => beginning.test(base64))?.[1];
}

/** A pattern for the whole would need as much stack as there is data. */
export function isBase64(data: string): boolean {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return data !== "" && data.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(data.slice(0, data.length - padding));
}

/** The same bytes in one line. Mail programs and `base64` break long data into lines; APIs refuse the breaks. */
export function withoutLineBreaks(base64: string): string {
  return /\s/.test(base64) ? base64.replaceAll(/\s+/g, "") : base64;
}

/** Where the bytes of a block are: a `data:` URL that holds them, or their address. */
export function addressOf(
  block: { data: string; mimeType: string; url?: never } | { url: string; data?: never },
): string {
  return block.data === undefined ? block.url : `data:${block.mimeType};base64,${block.data}`;
}

/** What a `data:` URL holds; undefined where that is not base64. */
export function readDataUrl(url: string): { data: string; mimeType: string } | undefined {
  const comma = url.indexOf(",");
  const head = url.slice(0, comma);
  if (comma < 0 || !/^data:/i.test(head) || !/;base64$/i.test(head)) return undefined;
  const [mimeType = ""] = head.slice("data:".length).split(";");
  return { data: url.slice(comma + 1), mimeType };
}
