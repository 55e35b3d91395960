import { createHash } from "node:crypto";

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
