import { isObject } from "../json/value.js";
import type { SessionMessage } from "../types.js";

/** A symbol, because JSON and comparisons leave it out: the folder is not part of the source. */
const FOLDER = Symbol("folder");

type Moved = SessionMessage & { [FOLDER]?: string };

/** The session, to be written for another folder than the one that its program recorded. */
export function withFolder(session: SessionMessage, folder: string): SessionMessage {
  const moved: Moved = { ...session, [FOLDER]: folder };
  return moved;
}

/** The folder that a session works in, if the program that wrote it recorded one. Every dialect notes it as `cwd`. */
export function folderOf(session: SessionMessage): string | undefined {
  const { [FOLDER]: chosen, ext }: Moved = session;
  if (chosen !== undefined) return chosen;
  for (const notes of Object.values(ext ?? {})) {
    if (!isObject(notes)) continue;
    const { cwd, fields } = notes;
    const known = cwd ?? (isObject(fields) ? fields["cwd"] : undefined);
    if (typeof known === "string") return known;
  }
  return undefined;
}
