import { rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../log/files/folder.js";

/**
 * The mark of a session with a backlog: an empty file, created after the message is in the log and before the message is
 * acknowledged. The holder of the session's lease removes it, and reads the log once more afterwards. So a message that the
 * holder has not read has a mark, and is found if its process is killed.
 */
export async function markBacklog(path: string): Promise<void> {
  await makeFolder(dirname(path));
  await writeFile(path, "");
}

/** Synchronous, so that this process cannot accept a message in between. */
export function unmarkBacklog(path: string): void {
  rmSync(path, { force: true });
}
