import { createHash, randomBytes } from "node:crypto";

/** A secret text, safe in a URL. */
export function newSecretText(): string {
  return randomBytes(32).toString("base64url");
}

/** The challenge of a verifier, with the method S256. */
export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
