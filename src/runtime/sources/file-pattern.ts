import { join } from "node:path";
import { DragomanError } from "../../core/error.js";
import { entriesOf } from "../../log/files/folder.js";

const UUID = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}";

const placeholders: Readonly<Record<string, string>> = {
  "*": "[^/]*",
  "{id}": "(?<id>[^/]+)",
  "{uuid}": `(?<id>${UUID})`,
};

/** A file below a folder. */
export interface MatchedFile {
  path: string;
  /** The session's id, if the pattern has a place for it. */
  id: string | undefined;
}

/**
 * Which files below a folder are sessions. `*` matches any characters of a name, `**` any folders, and `{id}` or `{uuid}` the
 * session's id.
 *
 * @example
 * new FilePattern("*\/{uuid}.jsonl").filesIn("/home/ann/.claude/projects");
 */
export class FilePattern {
  readonly #segments: readonly (RegExp | "**")[];
  /** Whether file names contain the session's id. */
  readonly namesId: boolean;

  constructor(pattern: string) {
    this.#segments = pattern.split("/").map((segment) => (segment === "**" ? "**" : segmentPattern(segment)));
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

function segmentPattern(segment: string): RegExp {
  const source = segment
    .split(/(\*|\{id\}|\{uuid\})/)
    .map((part) => placeholders[part] ?? part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"))
    .join("");
  return new RegExp(`^${source}$`);
}

async function* walk(
  folder: string,
  segments: readonly (RegExp | "**")[],
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
    const match = segment.exec(entry.name);
    if (match === null) continue;
    const found = match.groups?.["id"] ?? id;
    // Reading a pipe would block forever.
    if (rest.length === 0 && entry.isFile()) yield { path, id: found };
    else if (rest.length > 0 && entry.isDirectory()) yield* walk(path, rest, found, onUnreadable);
  }
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
