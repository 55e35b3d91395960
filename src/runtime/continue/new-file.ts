import { link, open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DragomanError } from "../../core/error.js";
import { asideName } from "../../log/files/aside.js";
import { systemCode, writeFailure } from "../../log/files/disk-error.js";
import { makeFolder, syncFolder } from "../../log/files/folder.js";

/**
 * Creates a file from its pieces, for its owner only. It appears whole or not at all, and never replaces another file.
 * Returns the result of the generator.
 */
export async function createFile<T>(path: string, pieces: AsyncGenerator<Uint8Array, T>): Promise<T> {
  const folder = dirname(path);
  const unfinished = join(folder, asideName(basename(path)));
  try {
    await makeFolder(folder);
    const result = await writePieces(unfinished, pieces);
    // Unlike a rename, a link fails if the name exists.
    await link(unfinished, path);
    await syncFolder(folder);
    return result;
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw taken(path, error);
    throw systemCode(error) === undefined ? error : writeFailure(path, error);
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function writePieces<T>(path: string, pieces: AsyncGenerator<Uint8Array, T>): Promise<T> {
  const file = await open(path, "wx", 0o600);
  try {
    for (;;) {
      const { value, done } = await pieces.next();
      if (done === true) {
        await file.sync();
        return value;
      }
      await file.writeFile(value);
    }
  } finally {
    await file.close();
  }
}

function taken(path: string, cause: unknown): DragomanError {
  return new DragomanError("continue/exists", `"${path}" exists already, and is not overwritten`, {
    hint: "run the command again: every session gets a new name",
    cause,
  });
}
