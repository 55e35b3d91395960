import { redactSecrets } from "../../core/secrets.js";

const LONGEST = 40;

/** A key as a report shows it: the name of a field, or `{key}` for what could be an id, a path, a secret or a text. */
export function safeKey(key: string): string {
  return isName(key, /^[A-Za-z_$][\w$-]*$/) ? key : "{key}";
}

/** Whether a report can show the value of a tag, or of a field with a fixed set of values: `session.start`. */
export function isSafeValue(value: string): boolean {
  return isName(value, /^[A-Za-z_][\w.-]*$/);
}

/** Names have at most one number: `base64`, `web_search_20250305`. Ids and keys have more. */
function isName(text: string, pattern: RegExp): boolean {
  if (text.length > LONGEST || !pattern.test(text)) return false;
  return (text.match(/\d+/g) ?? []).length <= 1 && redactSecrets(text) === text;
}
