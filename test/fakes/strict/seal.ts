import { createHmac } from "node:crypto";

/** What only the provider can make: signatures of thinking, and reasoning that it alone can read. */
export function seal(text: string): string {
  return createHmac("sha256", "the provider's secret").update(text).digest("base64");
}
