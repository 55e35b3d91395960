const secretNames = [
  /^DRAGOMAN_/i,
  /SECRET/i,
  /PASSWORD|PASSWD|PASSPHRASE/i,
  /CREDENTIAL/i,
  /API_?KEY|ACCESS_?KEY|PRIVATE_?KEY/i,
  /TOKEN$/i,
  /WEBHOOK_URL/i,
  /^OTEL_EXPORTER_.*HEADERS$/i,
  /_(PAT|PWD)$/i,
  // `SSH_AUTH_SOCK` is a path, without which `git` cannot fetch.
  /(^|_)(KEY|TOKENS?|PASS|AUTH(?!_SOCK$)|COOKIES?|DSN|SK|BEARER)(_|$)/i,
];

/** `postgres://user:password@host` */
const urlWithPassword = /:\/\/[^/\s:@]*:[^/\s@]+@/;

/**
 * The environment without apparent secrets: by name (`*_KEY`, `*TOKEN`, `*SECRET*`, `*PASSWORD*`, `DRAGOMAN_*`, …), or
 * URLs with a password. A heuristic: a secret under an innocent name passes.
 */
export function withoutSecrets(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || urlWithPassword.test(value)) continue;
    if (!secretNames.some((secret) => secret.test(name))) kept[name] = value;
  }
  return kept;
}
