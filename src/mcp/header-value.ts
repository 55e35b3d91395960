const PREFIX = "=?base64?";
const SUFFIX = "?=";

/** Printable ASCII without spaces at its ends. */
const PLAIN = /^[!-~](?:[\t -~]*[!-~])?$/;

/**
 * A text as the value of an HTTP header. What a header cannot contain is written as Base64.
 *
 * @example
 * encodeHeaderValue("Zürich"); // "=?base64?WsO8cmljaA==?="
 */
export function encodeHeaderValue(text: string): string {
  const isPlain = PLAIN.test(text) && !(text.startsWith(PREFIX) && text.endsWith(SUFFIX));
  return isPlain ? text : `${PREFIX}${Buffer.from(text, "utf8").toString("base64")}${SUFFIX}`;
}

/** The text of a header's value; undefined if its Base64 is invalid. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!value.startsWith(PREFIX) || !value.endsWith(SUFFIX)) return value;
  const encoded = value.slice(PREFIX.length, -SUFFIX.length);
  const bytes = Buffer.from(encoded, "base64");
  return bytes.toString("base64") === encoded ? bytes.toString("utf8") : undefined;
}
