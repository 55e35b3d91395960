import { isObject } from "../json/value.js";
import type { SessionMessage } from "../types.js";

/** The folder that a session works in, if the program that wrote it recorded one. Every dialect notes it as `cwd`. */
export function folderOf({ ext }: SessionMessage): string | undefined {
  for (const notes of Object.values(ext ?? {})) {
    if (!isObject(notes)) continue;
    const { cwd, fields } = notes;
    const known = cwd ?? (isObject(fields) ? fields["cwd"] : undefined);
    if (typeof known === "string") return known;
  }
  return undefined;
}
