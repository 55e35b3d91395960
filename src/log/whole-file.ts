import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { newId } from "../core/ids.js";

/**
 * Writes a file, only for its owner, that is there whole or not at all, also after a power failure; whatever was there before
 * stays until then. Whether its name is there after one is up to `syncFolder`.
 */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  // No file of ours begins with this.
  const unfinished = join(dirname(path), `~${newId()}`);
  try {
    const file = await open(unfinished, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
