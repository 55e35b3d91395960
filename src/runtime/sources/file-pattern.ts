import { join } from "node:path";
import { DragomanError } from "../../core/error.js";
import { entriesOf } from "../../log/files/folder.js";
import { NamePattern } from "./name-pattern.js";

/** A file below a folder. */
export interface MatchedFile {
  path: string;
  /** The session's id, if the pattern has a place for it. */
  id: string | undefined;
  /** It contains many sessions: the pattern continues with `/{id}`. */
  isContainer: boolean;
}

/**
 * Which files below a folder are sessions. `*` matches any characters of a name, `**` any folders, and `{id}` or `{uuid}` the
 * session's id. A file that the pattern continues with `/{id}` contains many sessions.
 *
 * @example
 * new FilePattern("*\/{uuid}.jsonl").filesIn("/home/ann/.claude/projects");
 */
export class FilePattern {
  readonly #segments: readonly (NamePattern | "**")[];
  /** Whether file names contain the session's id. */
  readonly namesId: boolean;

  constructor(pattern: string) {
    this.#segments = pattern
      .split("/")
      .map((segment) => (segment === "**" ? "**" : new NamePattern(segment)));
    this.namesId = /\{(?:id|uuid)\}/.test(pattern);
  }

  /**
   * None if the folder does not exist. An unreadable folder is reported and left out. Links are not followed, because they
   * lead out of the folder.
   */
  filesIn(folder: string, onUnreadable: (reason: string) => void): AsyncGenerator<MatchedFile> {
    return walk(folder, this.#segments, undefined, onUnreadable);
  }
}

async function* walk(
  folder: string,
  segments: readonly (NamePattern | "**")[],
  id: string | undefined,
  onUnreadable: (reason: string) => void,
): AsyncGenerator<MatchedFile> {
  const [segment, ...rest] = segments;
  if (segment === undefined) return;
  if (segment === "**") yield* walk(folder, rest, id, onUnreadable);
  for (const entry of await readableEntries(folder, onUnreadable)) {
    const path = join(folder, entry.name);
    if (segment === "**") {
      if (entry.isDirectory()) yield* walk(path, segments, id, onUnreadable);
      continue;
    }
    const match = segment.match(entry.name);
    if (match === undefined) continue;
    const found = match.id ?? id;
    // Reading a pipe would block forever.
    if (rest.length === 0 && entry.isFile()) yield { path, id: found, isContainer: false };
    else if (rest.length > 0 && entry.isDirectory()) yield* walk(path, rest, found, onUnreadable);
    else if (entry.isFile() && isOnlyId(rest)) yield { path, id: undefined, isContainer: true };
  }
}

function isOnlyId([segment, ...others]: readonly (NamePattern | "**")[]): boolean {
  return others.length === 0 && segment instanceof NamePattern && segment.isId;
}

async function readableEntries(folder: string, onUnreadable: (reason: string) => void) {
  try {
    return await entriesOf(folder);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    onUnreadable(error.message);
    return [];
  }
}
