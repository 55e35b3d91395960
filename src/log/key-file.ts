import { createHash } from "node:crypto";
import { canonicalKey, isKey } from "./key.js";

const MAX_NAME_LENGTH = 120;
const PREFIX_LENGTH = 80;

/**
 * The name of the file that stands for a key. Different keys have different names, also where file names ignore case:
 * a capital is escaped like everything else that is not safe everywhere. What would be too long is cut, and ends in a
 * `~`, which no other name has, and a hash.
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

/** Longer names do not fit everywhere; `.jsonl` follows. */
const MAX_FOREIGN_BYTES = 240;

/**
 * The name that OpenClaw gives the file of a session: its key. A slash is written `%2F` and a backslash `%5C`. Where no file
 * can be named so it has the name by which we keep keys.
 *
 * `agent:main:telegram:dm:123456789`
 */
export function sessionFileName(key: string): string {
  const name = key.replaceAll("/", "%2F").replaceAll("\\", "%5C");
  const fits = process.platform !== "win32" && Buffer.byteLength(name) <= MAX_FOREIGN_BYTES;
  return fits ? name : keyFileName(key);
}

/** The key that the name of such a file is; undefined if it is none. */
export function keyInFileName(name: string): string | undefined {
  const key = name.replaceAll("%2F", "/").replaceAll("%5C", "\\");
  return key.startsWith("agent:") && isKey(key) ? canonicalKey(key) : undefined;
}
