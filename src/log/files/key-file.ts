import { createHash } from "node:crypto";
import { canonicalKey, isKey } from "../key.js";

const MAX_NAME_LENGTH = 120;
const PREFIX_LENGTH = 80;

/**
 * The name of a key's file. Different keys have different names, even where file names ignore case: capitals are escaped
 * like every other unsafe character. A name that would be too long is cut, and ends in `~`, which no other name contains,
 * and a hash.
 *
 * `agent:main:whatsapp:dm:491@s.whatsapp.net` → `agent.main.whatsapp.dm.491@s%2ewhatsapp%2enet`
 */
export function keyFileName(key: string): string {
  const name = [...key].map(safe).join("");
  if (name.length <= MAX_NAME_LENGTH) return name;
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 32);
  return `${name.slice(0, PREFIX_LENGTH)}~${hash}`;
}

function safe(char: string): string {
  if (char === ":") return ".";
  if (/^[a-z0-9_@+-]$/.test(char)) return char;
  return [...Buffer.from(char)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Not all file systems accept longer names; `.jsonl` follows. */
const MAX_FOREIGN_BYTES = 240;

/**
 * The name of a session's file in OpenClaw: its key, with `%2F` for a slash and `%5C` for a backslash; our own name for the
 * key where the file system does not allow that.
 *
 * `agent:main:telegram:dm:123456789`
 */
export function sessionFileName(key: string): string {
  const name = key.replaceAll("/", "%2F").replaceAll("\\", "%5C");
  const fits = process.platform !== "win32" && Buffer.byteLength(name) <= MAX_FOREIGN_BYTES;
  return fits ? name : keyFileName(key);
}

/** The key in such a file name; undefined if there is none. */
export function keyInFileName(name: string): string | undefined {
  const key = name.replaceAll("%2F", "/").replaceAll("%5C", "\\");
  return key.startsWith("agent:") && isKey(key) ? canonicalKey(key) : undefined;
}
