import { isNumber, type JsonObject } from "../../core/json/value.js";

/** A text of each format, from ranges that are reserved for examples. */
const FORMATS = new Map<unknown, string>([
  ["date-time", "2026-01-01T00:00:00Z"],
  ["date", "2026-01-01"],
  ["time", "00:00:00Z"],
  ["duration", "P1D"],
  ["email", "demo@example.com"],
  ["idn-email", "demo@example.com"],
  ["hostname", "example.com"],
  ["idn-hostname", "example.com"],
  ["ipv4", "192.0.2.1"],
  ["ipv6", "2001:db8::1"],
  ["cidrv4", "192.0.2.0/24"],
  ["cidrv6", "2001:db8::/32"],
  ["uri", "https://example.com"],
  ["uri-reference", "https://example.com"],
  ["iri", "https://example.com"],
  ["url", "https://example.com"],
  ["uuid", "00000000-0000-4000-8000-000000000000"],
  ["json-pointer", "/demo"],
  ["regex", ".*"],
  ["base64", "ZGVtbw=="],
  ["base64url", "ZGVtbw"],
  ["e164", "+12025550123"],
]);

/** A text that fits a schema: an example of its format, or the given text at the required length. */
export function sampleText({ format, minLength, maxLength }: JsonObject, text: string): string {
  const known = FORMATS.get(format);
  if (known !== undefined) return known;
  const padded = isNumber(minLength) ? text.padEnd(minLength, "x") : text;
  // Lengths are in characters, of which some are two units of a string.
  return isNumber(maxLength) && padded.length > maxLength ? [...padded].slice(0, maxLength).join("") : padded;
}
