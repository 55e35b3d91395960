const patterns = [
  // Our own tokens.
  /dgm_[A-Za-z0-9_-]+/g,
  // Bearer …, Basic …. The lookbehind starts at non-space characters only, so that long runs of spaces stay cheap.
  /(?=\S)(?<=\b(?:Bearer|Basic)\s+)[^\s"',;]+/gi,
  /(?<=\bbearer\.)[^\s"',;]+/gi,
  // Model provider keys: sk-…, sk-ant-…, AIza…, gsk_…, xai-….
  /\bsk-[A-Za-z0-9_-]{8,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\b(?:gsk_|xai-|hf_|r8_)[A-Za-z0-9_-]{16,}/g,
];

/** Shorter values appear in text by chance. */
const SHORTEST = 8;

/** Replaces the given secrets, and everything that looks like a token or key: `bad key [secret]`. */
export function redactSecrets(text: string, secrets: readonly string[] = []): string {
  const known = secrets.filter(({ length }) => length >= SHORTEST);
  const without = known.reduce(withoutSecret, text);
  return patterns.reduce((cleaned, pattern) => cleaned.replace(pattern, "[secret]"), without);
}

/** Also replaces the start of a secret at the end of a truncated text. */
function withoutSecret(text: string, secret: string): string {
  const cleaned = text.replaceAll(secret, "[secret]");
  for (let length = secret.length - 1; length >= SHORTEST; length--) {
    if (cleaned.endsWith(secret.slice(0, length))) return `${cleaned.slice(0, -length)}[secret]`;
  }
  return cleaned;
}
