const secretName = new RegExp(
  [
    "^DRAGOMAN_",
    "SECRET",
    "PASSWORD|PASSWD|PASSPHRASE",
    "CREDENTIAL",
    "API_?KEY|ACCESS_?KEY|PRIVATE_?KEY",
    "TOKEN$",
    "WEBHOOK_URL",
    "_(PAT|PWD)$",
    // `SSH_AUTH_SOCK` is a path, without which `git` cannot fetch.
    "(^|_)(KEY|TOKENS?|PASS|AUTH(?!_SOCK$)|COOKIES?|DSN|SK|BEARER)(_|$)",
  ].join("|"),
  "i",
);

/** `postgres://user:password@host` */
const urlWithPassword = /:\/\/[^/\s:@]*:[^/\s@]+@/;

/**
 * The environment without what looks like a secret, by its name (`*_KEY`, `*TOKEN`, `*SECRET*`, `*PASSWORD*`, `DRAGOMAN_*`, …) or
 * because it is a URL with a password. A guess: a secret under an innocent name passes.
 */
export function withoutSecrets(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !secretName.test(name) && !urlWithPassword.test(value)) kept[name] = value;
  }
  return kept;
}
