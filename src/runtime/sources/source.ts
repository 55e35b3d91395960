import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { setImmediate } from "node:timers/promises";
import { load } from "../../convert/detect.js";
import { readMessages, type UnreadText } from "../../convert/read-messages.js";
import type { Dialect } from "../../core/dialect.js";
import type { AgentMessage } from "../../core/types.js";
import type { OnBadLine, SessionSource } from "../../log/catalogue/types.js";
import type { SessionFile } from "../../log/types.js";
import { MAIN } from "../agents.js";
import { fileDialect } from "../transcript.js";
import { FilePattern, type MatchedFile } from "./file-pattern.js";
import { withListPrice } from "./list-price.js";

/** How many files are checked before other work gets a turn. */
const AT_ONCE = 200;
const CHUNK_BYTES = 1024 * 1024;

export interface SourceOptions {
  name: string;
  /** Default: detected in each file. */
  dialect?: string;
  /** Absolute paths. */
  roots: readonly string[];
  /** As `FilePattern` reads it. */
  files: string;
}

/** The sessions that another program keeps on this computer. They are only read. */
export interface Source extends SessionSource {
  /** Lists every session file without opening any. */
  sessions(): AsyncIterable<SessionFile>;
  /** Whether the ids of sessions are in the names of their files. */
  namesIds: boolean;
  dialectOf(path: string): Promise<Dialect>;
}

/**
 * A source. Nothing is read before its first use.
 *
 * @example
 * const source = openSource({ name: "claude-code", dialect: "claude-code", roots, files: "*\/{uuid}.jsonl" });
 * for await (const { id, path } of source.sessions()) console.log(id, path);
 */
export function openSource({ name, dialect, roots, files }: SourceOptions): Source {
  const pattern = new FilePattern(files);
  const dialectOf = (path: string) => (dialect === undefined ? fileDialect(path) : load(dialect));
  return {
    name,
    namesIds: pattern.namesId,
    dialectOf,
    sessions: () => filesOf(roots, pattern),
    async *readForeign(path, onBadLine) {
      yield* messagesIn(path, await dialectOf(path), onBadLine);
    },
  };
}

async function* filesOf(roots: readonly string[], pattern: FilePattern): AsyncGenerator<SessionFile> {
  let checked = 0;
  for (const root of roots) {
    for await (const found of pattern.filesIn(root)) {
      const file = fileAt(found);
      if (file !== undefined) yield file;
      checked += 1;
      if (checked % AT_ONCE === 0) await setImmediate();
    }
  }
}

/** Undefined if the file was deleted meanwhile. Synchronous, because an asynchronous call would cost ten times as much. */
function fileAt({ path, id }: MatchedFile): SessionFile | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const { size, mtimeMs: modified } = found;
  const identity = id === undefined ? { id: basename(path), idInHeader: true } : { id };
  return { ...identity, agent: MAIN, path, foreign: true, size, modified };
}

/** The messages of all branches, in one pass. */
async function* messagesIn(path: string, from: Dialect, onBadLine: OnBadLine): AsyncGenerator<AgentMessage> {
  const bytes = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const onUnread = ({ line, error }: UnreadText) => onBadLine(line, `line ${line}: ${error.message}`);
  for await (const batch of readMessages(bytes, { from, onUnread })) {
    for (const { message } of batch) yield withListPrice(message);
  }
}
