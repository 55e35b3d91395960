import { constants, statSync } from "node:fs";
import { type FileHandle, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { DragomanError } from "../../core/error.js";
import type { SessionMessage } from "../../core/types.js";
import { formatLine } from "../../framing/ndjson.js";
import { isKey, isSafeId } from "../key.js";
import type { KnownFiles, SessionFile } from "../types.js";
import { asideName } from "./aside.js";
import { clineFiles } from "./cline-files.js";
import { type AppendFile, appendDurably, openForAppends } from "./durable-append.js";
import { entriesOf, exists, makeFolder, syncFolder } from "./folder.js";
import { type Inspected, inspect, inspectShort } from "./header.js";
import { keyInFileName } from "./key-file.js";

const { O_RDWR, O_APPEND, O_CREAT, O_EXCL } = constants;
/** How many files are inspected together. */
const AT_ONCE = 32;
const SUFFIX = ".jsonl";
/** Cline's sessions have no agent. */
const CLINE_AGENT = "main";

/** A file and its header, if it had to be opened. */
export interface FoundSession extends SessionFile {
  header: SessionMessage | undefined;
}

export function agentsFolder(home: string): string {
  return join(home, "agents");
}

export function sessionsFolder(home: string, agent: string): string {
  return join(agentsFolder(home), agent, "sessions");
}

/** A session's file that is not listed yet, and its final path. */
export interface UnfinishedFile {
  aside: string;
  path: string;
  line: Uint8Array;
  /** Open for appends. */
  file: FileHandle & AppendFile;
}

/** Creates a session's file with its header, under a name that is not listed. */
export async function makeSessionFile(
  home: string,
  agent: string,
  header: SessionMessage & { id: string },
): Promise<UnfinishedFile> {
  const folder = sessionsFolder(home, agent);
  await makeFolder(folder);
  const aside = join(folder, asideName());
  const line = Buffer.from(formatLine(header));
  const file = await openForAppends(aside, O_RDWR | O_APPEND | O_CREAT | O_EXCL, 0o600);
  try {
    await appendDurably(file, line, 0, aside);
  } catch (error) {
    await file.close();
    await rm(aside, { force: true });
    throw error;
  }
  return { aside, path: join(folder, `${header.id}${SUFFIX}`), line, file };
}

/**
 * Makes the session visible, with everything that was appended to it. Its name is on disk when the promise in the result is
 * fulfilled.
 */
export async function publishSessionFile({
  aside,
  path,
}: Pick<UnfinishedFile, "aside" | "path">): Promise<{ named: Promise<void> }> {
  await rename(aside, path);
  return { named: syncFolder(dirname(path)) };
}

/** The path of the session with this id. */
export async function locate(home: string, id: string): Promise<string | undefined> {
  if (!isSafeId(id)) return undefined;
  for (const agent of await agentsOf(home)) {
    const path = join(sessionsFolder(home, agent), `${id}${SUFFIX}`);
    if (await exists(path)) return path;
  }
  return undefined;
}

/** Every session of a home: ours, OpenClaw's and Cline's. */
export async function* allSessions(home: string, known?: KnownFiles): AsyncGenerator<FoundSession> {
  for (const agent of await agentsOf(home)) yield* sessionsOf(home, agent, known);
  for await (const { id, path } of clineFiles(home)) {
    const found = await clineFileAt(path, id, known);
    if (found !== undefined) yield found;
  }
}

/** The foreign session with this id or key. Names are compared before any file is opened. */
export async function foreignNamed(home: string, name: string): Promise<SessionFile | undefined> {
  for (const agent of await agentsOf(home)) {
    const folder = sessionsFolder(home, agent);
    for (const entry of await entriesOf(folder)) {
      const { name: file } = entry;
      const id = file.slice(0, -SUFFIX.length);
      if (!entry.isFile() || !file.endsWith(SUFFIX) || (id !== name && keyInFileName(id) !== name)) continue;
      const found = await fileAt(join(folder, file), id, agent);
      if (found?.foreign === true) return found;
    }
  }
  // Cline's sessions have no keys.
  if (isKey(name)) return undefined;
  for await (const { id, path } of clineFiles(home)) {
    const found = id === name ? await clineFileAt(path, id) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

async function clineFileAt(path: string, id: string, known?: KnownFiles): Promise<FoundSession | undefined> {
  const inspected = unchanged(path, known) ?? (await inspectIfThere(path));
  if (inspected === undefined) return undefined;
  const { size, modified } = inspected;
  return { id, agent: CLINE_AGENT, path, foreign: true, size, modified, header: undefined };
}

/** The sessions of one agent. A file that is deleted meanwhile is left out. */
export async function* sessionsOf(
  home: string,
  agent: string,
  known?: KnownFiles,
): AsyncGenerator<FoundSession> {
  const folder = sessionsFolder(home, agent);
  const names = (await entriesOf(folder)).filter((entry) => entry.isFile() && entry.name.endsWith(SUFFIX));
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const found = names.slice(start, start + AT_ONCE).map(async ({ name }) => {
      return fileAt(join(folder, name), name.slice(0, -SUFFIX.length), agent, known);
    });
    for (const session of await Promise.all(found)) if (session !== undefined) yield session;
    // Checking known files is synchronous: yield to other work in between.
    await setImmediate();
  }
}

type Known = Inspected & Pick<SessionFile, "foreign">;

/**
 * What is known of a file, if it has not changed. Synchronous, because an asynchronous call would cost ten times as much.
 */
function unchanged(path: string, known: KnownFiles | undefined): Known | undefined {
  const before = known?.get(path);
  if (before === undefined) return undefined;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.size !== before.size || found.mtimeMs !== before.modified) return undefined;
  return { ...before, header: undefined };
}

async function fileAt(
  path: string,
  id: string,
  agent: string,
  known?: KnownFiles,
): Promise<FoundSession | undefined> {
  const same = unchanged(path, known);
  const inspected = same ?? inspectShort(path) ?? (await inspectIfThere(path));
  if (inspected === undefined) return undefined;
  const { header, size, modified } = inspected;
  const foreign = same?.foreign ?? header === undefined;
  const key = foreign ? keyInFileName(id) : undefined;
  return { id, agent, path, foreign, ...(key === undefined ? {} : { key }), size, modified, header };
}

async function inspectIfThere(path: string): Promise<Inspected | undefined> {
  try {
    return await inspect(path);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    if (error.code === "log/deleted") return undefined;
    // An unreadable file must not hide the others. Opening it reports why.
    const { size, mtimeMs } = await stat(path);
    return { header: undefined, size, modified: mtimeMs };
  }
}

export async function agentsOf(home: string): Promise<string[]> {
  return (await entriesOf(agentsFolder(home)))
    .filter((entry) => entry.isDirectory() && isSafeId(entry.name))
    .map(({ name }) => name);
}
