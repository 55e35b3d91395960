import { mkdir, open, readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { readFailure, systemCode } from "./disk-error.js";

/** Makes a folder and those above it, only for its owner, and makes sure that they outlive a power failure. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; ; made = dirname(made)) {
    await syncFolder(dirname(made));
    if (made === first || made === dirname(made)) return;
  }
}

/** Makes sure that what was made, renamed or removed in a folder stays so after a power failure. */
export async function syncFolder(path: string): Promise<void> {
  // Windows has no such call, and needs none.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** What is in a folder; nothing if it is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** The same with what each one is, in the order of their names. */
export async function entriesOf(folder: string) {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw readFailure(folder, error);
  }
}
