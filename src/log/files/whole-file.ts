import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asideName } from "./aside.js";

/**
 * Writes a file, for its owner only, whole or not at all, even after a power failure; a previous file stays until then. Its
 * name survives a power failure only after `syncFolder`.
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

/** Creates a file, for its owner only, and makes sure that its content survives a power failure. */
export async function writeNew(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
