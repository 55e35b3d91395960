import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Tokens begin so that people, logs and scanners know one when they see it. */
const PREFIX = "dgm_";
const SHAPE = /^dgm_[A-Za-z0-9_-]{43}$/;

/** A token: 256 random bits. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString("base64url");
}

/** False for what was never a token of ours, such as `undefined` or nothing. */
export function looksLikeSecret(text: string): boolean {
  return SHAPE.test(text);
}

/** What is stored of a token. It has too many bits to be guessed, so that a fast hash will do. */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Takes the same time whatever the two have in common. */
export function sameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, "hex"), Buffer.from(other, "hex")];
  return a.length === b.length && timingSafeEqual(a, b);
}

const inText = [
  /dgm_[A-Za-z0-9_-]+/g,
  // Bearer …, Basic …. It looks back from words only, not from every space between them.
  /(?=\S)(?<=\b(?:Bearer|Basic)\s+)[^\s"',;]+/gi,
  /(?<=\bbearer\.)[^\s"',;]+/gi,
  // Keys of model providers: sk-…, sk-ant-…, AIza….
  /\bsk-[A-Za-z0-9_-]{8,}/g,
  /\bAIza[A-Za-z0-9_-]{8,}/g,
];

/** The text without tokens and keys. */
export function withoutSecrets(text: string): string {
  return inText.reduce((cleaned, pattern) => cleaned.replace(pattern, "[secret]"), text);
}
