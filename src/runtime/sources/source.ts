import { createReadStream, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { load } from "../../convert/detect.js";
import { readMessages, type UnreadText } from "../../convert/read-messages.js";
import type { Dialect } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import type { AgentMessage } from "../../core/types.js";
import type { OnBadLine, SessionSource } from "../../log/catalogue/types.js";
import type { SessionFile } from "../../log/types.js";
import { MAIN } from "../agents.js";
import { type Companions, companionsOf, joinSession } from "../companions/companions.js";
import { fileDialect } from "../transcript.js";
import { FilePattern, type MatchedFile } from "./file-pattern.js";
import { withListPrice } from "./list-price.js";

/** How many files are checked before other work gets a turn. */
const AT_ONCE = 200;
const CHUNK_BYTES = 1024 * 1024;

type OnUnreadable = (reason: string) => void;

export interface SourceOptions {
  name: string;
  /** Default: detected in each file. */
  dialect?: string;
  /** Absolute paths. */
  roots: readonly string[];
  /** As `FilePattern` reads them; the sessions that one finds hide those with the same id that later ones find. */
  files: readonly string[];
  /** Called with the reason why a folder cannot be read; its sessions are left out. */
  onNote: (text: string) => void;
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
 * const source = openSource({ name: "claude-code", dialect: "claude-code", roots, files: ["*\/{uuid}.jsonl"], onNote: console.error });
 * for await (const { id, path } of source.sessions()) console.log(id, path);
 */
export function openSource({ name, dialect, roots, files, onNote }: SourceOptions): Source {
  const patterns = files.map((pattern) => new FilePattern(pattern));
  const dialectOf = (path: string) => (dialect === undefined ? fileDialect(path) : load(dialect));
  const onUnreadable = (reason: string) => onNote(`sessions of ${name}: ${reason}`);
  return {
    name,
    namesIds: patterns.every(({ namesId }) => namesId),
    dialectOf,
    sessions: () => currentFiles(roots, patterns, dialect, onUnreadable),
    async *readForeign(path, onBadLine) {
      yield* messagesIn(path, await dialectOf(path), onBadLine);
    },
  };
}

async function* currentFiles(
  roots: readonly string[],
  patterns: readonly FilePattern[],
  dialect: string | undefined,
  onUnreadable: OnUnreadable,
): AsyncGenerator<SessionFile> {
  const companions = dialect === undefined ? undefined : await companionsOf(dialect);
  const hidden = new Set<string>();
  for (const pattern of patterns) {
    const ids: string[] = [];
    for await (const file of filesOf(roots, pattern, companions, onUnreadable)) {
      if (hidden.has(file.id)) continue;
      yield file;
      if (patterns.length > 1) ids.push(file.id);
    }
    for (const id of ids) hidden.add(id);
  }
}

async function* filesOf(
  roots: readonly string[],
  pattern: FilePattern,
  companions: Companions | undefined,
  onUnreadable: OnUnreadable,
): AsyncGenerator<SessionFile> {
  let checked = 0;
  for (const root of roots) {
    for await (const found of pattern.filesIn(root, onUnreadable)) {
      checked += 1;
      if (checked % AT_ONCE === 0) await setImmediate();
      if (found.isContainer) {
        yield* filesInside(found.path, companions, onUnreadable);
        continue;
      }
      const file = fileAt(found, (await companions?.filesOf(found.path)) ?? []);
      if (file !== undefined) yield file;
    }
  }
}

/** The sessions in a file that contains many. If it is not readable, they are left out, and the reason is reported. */
async function* filesInside(
  path: string,
  companions: Companions | undefined,
  onUnreadable: OnUnreadable,
): AsyncGenerator<SessionFile> {
  try {
    for (const { id, size, modified } of (await companions?.sessionsIn?.(path)) ?? []) {
      yield { id, agent: MAIN, path: join(path, id), foreign: true, size, modified };
    }
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    onUnreadable(error.message);
  }
}

/**
 * A session's file with the size and time of all its files; undefined if it was deleted meanwhile. Synchronous, because an
 * asynchronous call would cost ten times as much.
 */
function fileAt({ path, id }: MatchedFile, companions: readonly string[]): SessionFile | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const others = companions.map(
    (other) => statSync(other, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 },
  );
  const size = others.reduce((sum, other) => sum + other.size, found.size);
  const modified = Math.max(found.mtimeMs, ...others.map(({ mtimeMs }) => mtimeMs));
  const identity = id === undefined ? { id: basename(path), idInHeader: true } : { id };
  return { ...identity, agent: MAIN, path, foreign: true, size, modified };
}

/** The messages of all branches and all files of a session, in one pass. */
async function* messagesIn(path: string, from: Dialect, onBadLine: OnBadLine): AsyncGenerator<AgentMessage> {
  const joined = await joinSession(path, from.name);
  const bytes = joined?.open() ?? createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const onUnread = ({ line, error }: UnreadText) => onBadLine(line, `line ${line}: ${error.message}`);
  for await (const batch of readMessages(bytes, { from, onUnread })) {
    for (const { message } of batch) yield withListPrice(message);
  }
}
