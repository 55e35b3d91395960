import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asideName } from "./aside.js";

/**
 * Writes a file, only for its owner, that is there whole or not at all, also after a power failure; whatever was there before
 * stays until then. Whether its name is there after one is up to `syncFolder`.
 */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const unfinished = join(dirname(path), asideName());
  try {
    await writeNew(unfinished, content);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Writes a file that is not there yet, only for its owner, and makes sure that its content outlives a power failure. */
export async function writeNew(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
