import { createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookRequest } from "../types.js";

const TIMESTAMP = "x-dragoman-timestamp";
const SIGNATURE = "x-dragoman-signature";
/** The tolerated clock difference, and how long a signed request stays valid. */
const SKEW_SECONDS = 300;

/** The headers that sign a body: HMAC-SHA-256 of the time in seconds, a dot, and the body. */
export function signatureHeaders(secret: string, body: Uint8Array, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  return { [TIMESTAMP]: timestamp, [SIGNATURE]: `v1=${hashOf(secret, timestamp, body).toString("hex")}` };
}

/** What is wrong with a request's signature; undefined if it is valid. */
export function signatureProblem(
  secret: string,
  { headers, body }: WebhookRequest,
  now: number,
): string | undefined {
  const timestamp = headers[TIMESTAMP] ?? "";
  const [, hex = ""] = /^v1=([0-9a-f]{64})$/.exec(headers[SIGNATURE] ?? "") ?? [];
  if (!/^\d{1,12}$/.test(timestamp) || hex === "") {
    return "X-Dragoman-Timestamp (Unix seconds) and X-Dragoman-Signature (v1=…, 64 hex digits) are required";
  }
  // Checked before the time, so that a sender without the secret learns nothing about our clock.
  if (!timingSafeEqual(Buffer.from(hex, "hex"), hashOf(secret, timestamp, body)))
    return "the signature is wrong";
  const skew = Math.abs(now / 1000 - Number(timestamp));
  return skew > SKEW_SECONDS
    ? `the timestamp is ${Math.round(skew)} seconds off; check the clocks`
    : undefined;
}

function hashOf(secret: string, timestamp: string, body: Uint8Array): Buffer {
  return createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
}
