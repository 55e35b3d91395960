import { statSync } from "node:fs";
import { mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fallbackIfMissing, readFailure, systemCode } from "./disk-error.js";

/** Creates a folder and its parents, for their owner only, and makes sure that they survive a power failure. */
export async function makeFolder(path: string): Promise<void> {
  // Nearly always it exists. An asynchronous call would cost ten times as much.
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; ; made = dirname(made)) {
    await syncFolder(dirname(made));
    if (made === first || made === dirname(made)) return;
  }
}

/** Makes sure that creations, renames and removals in a folder survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  // Windows has no such call and does not need it.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The names in a folder; none if it does not exist. */
export function namesIn(folder: string): Promise<string[]> {
  return fallbackIfMissing(readdir(folder), []);
}

/** A folder's entries, sorted by name; none if it does not exist. */
export async function entriesOf(folder: string) {
  try {
    const entries = await fallbackIfMissing(readdir(folder, { withFileTypes: true }), []);
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw readFailure(folder, error);
  }
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
