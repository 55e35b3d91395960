import { fnv1aHex } from "../../core/hash.js";

/** Providers accept this many characters. */
const MAX_LENGTH = 64;

/**
 * The name by which models call a server's tool. It depends on nothing else, so that it stays the same when other tools
 * change: providers cache by names, and transcripts contain them. A name that had to be changed ends with a hash of the
 * original, so that two tools never share one.
 *
 * @example
 * exposedName("github", "create_issue"); // "github__create_issue"
 * exposedName("github", "issues.create"); // "github__issues_create_83553973"
 */
export function exposedName(server: string, tool: string): string {
  const plain = `${server}__${tool}`;
  // The first "__" separates server and tool.
  const isClear = !server.includes("__") && !server.endsWith("_");
  if (isClear && plain.length <= MAX_LENGTH && /^[A-Za-z_][A-Za-z0-9_-]*$/.test(plain)) return plain;
  const hash = fnv1aHex(`${server}/${tool}`);
  const clean = plain.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  const named = /^[A-Za-z_]/.test(clean) ? clean : `_${clean}`;
  return `${named.slice(0, MAX_LENGTH - hash.length - 1)}_${hash}`;
}

/** The name of a tool in permission rules, and for people: `github/create_issue`. */
export function ruleName(server: string, tool: string): string {
  return `${server}/${tool}`;
}
