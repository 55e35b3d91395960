import { stat } from "node:fs/promises";
import { join } from "node:path";
import { DragomanError } from "../core/error.js";
import type { SessionMessage } from "../core/types.js";
import { formatLine } from "../framing/ndjson.js";
import { clineFiles } from "./cline-files.js";
import { readFailure, systemCode } from "./disk-error.js";
import { entriesOf, makeFolder, syncFolder } from "./folder.js";
import { type Inspected, inspect } from "./header.js";
import { isSafeId } from "./key.js";
import { keyInFileName } from "./key-file.js";
import type { SessionFile } from "./types.js";
import { writeWhole } from "./whole-file.js";

/** How many files are looked at together. */
const AT_ONCE = 32;
const SUFFIX = ".jsonl";
/** Cline's sessions have no agent of ours. */
const CLINE_AGENT = "main";

/** A file and what its first line says. */
export interface FoundSession extends SessionFile {
  header: SessionMessage | undefined;
}

export function agentsFolder(home: string): string {
  return join(home, "agents");
}

export function sessionsFolder(home: string, agent: string): string {
  return join(agentsFolder(home), agent, "sessions");
}

/** Makes the file of a session, which is there with a whole first line or not at all. */
export async function makeSessionFile(home: string, agent: string, header: SessionMessage & { id: string }) {
  const folder = sessionsFolder(home, agent);
  await makeFolder(folder);
  const path = join(folder, `${header.id}${SUFFIX}`);
  await writeWhole(path, formatLine(header));
  await syncFolder(folder);
  return path;
}

/** Where the session of this id is. */
export async function locate(home: string, id: string): Promise<string | undefined> {
  if (!isSafeId(id)) return undefined;
  for (const agent of await agentsOf(home)) {
    const path = join(sessionsFolder(home, agent), `${id}${SUFFIX}`);
    if (await exists(path)) return path;
  }
  return undefined;
}

/** Every session of a home, be it ours, OpenClaw's or Cline's. */
export async function* allSessions(home: string): AsyncGenerator<FoundSession> {
  for (const agent of await agentsOf(home)) yield* sessionsOf(home, agent);
  for await (const { id, path } of clineFiles(home)) {
    const inspected = await inspectIfThere(path);
    if (inspected === undefined) continue;
    const { size, modified } = inspected;
    yield { id, agent: CLINE_AGENT, path, foreign: true, size, modified, header: undefined };
  }
}

/** The session of another program that has this id or key. Names are compared before any file is opened. */
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
  return undefined;
}

/** The sessions of one agent. One that is gone before it is looked at is left out. */
export async function* sessionsOf(home: string, agent: string): AsyncGenerator<FoundSession> {
  const folder = sessionsFolder(home, agent);
  const names = (await entriesOf(folder)).filter((entry) => entry.isFile() && entry.name.endsWith(SUFFIX));
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const found = names.slice(start, start + AT_ONCE).map(async ({ name }) => {
      return fileAt(join(folder, name), name.slice(0, -SUFFIX.length), agent);
    });
    for (const session of await Promise.all(found)) if (session !== undefined) yield session;
  }
}

async function fileAt(path: string, id: string, agent: string): Promise<FoundSession | undefined> {
  const inspected = await inspectIfThere(path);
  if (inspected === undefined) return undefined;
  const { header, size, modified } = inspected;
  const foreign = header === undefined;
  const key = foreign ? keyInFileName(id) : undefined;
  return { id, agent, path, foreign, ...(key === undefined ? {} : { key }), size, modified, header };
}

async function inspectIfThere(path: string): Promise<Inspected | undefined> {
  try {
    return await inspect(path);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    if (error.code === "log/deleted") return undefined;
    // One file that may not be read must not hide the others. Whoever opens it is told why.
    const { size, mtimeMs } = await stat(path);
    return { header: undefined, size, modified: mtimeMs };
  }
}

async function agentsOf(home: string): Promise<string[]> {
  return (await entriesOf(agentsFolder(home)))
    .filter((entry) => entry.isDirectory() && isSafeId(entry.name))
    .map(({ name }) => name);
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw readFailure(path, error);
  }
}
