import crypto, { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** People and secret scanners recognise tokens by it. */
const PREFIX = "dgm_";
const SHAPE = /^dgm_[A-Za-z0-9_-]{43}$/;

/** A token: 256 random bits. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString("base64url");
}

/** Whether the text has the form of our tokens. */
export function looksLikeSecret(text: string): boolean {
  return SHAPE.test(text);
}

/** The stored form of a token. A fast hash is enough, because 256 random bits cannot be guessed. */
export function hashOf(secret: string): string {
  // Faster than an object for the hash, but Node before 20.12 lacks it.
  return crypto.hash?.("sha256", secret) ?? createHash("sha256").update(secret).digest("hex");
}

/** In constant time. */
export function sameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, "hex"), Buffer.from(other, "hex")];
  return a.length === b.length && timingSafeEqual(a, b);
}
