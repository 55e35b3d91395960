import { rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../log/files/folder.js";

/**
 * The mark of a session in whose inbox something waits: an empty file, made after the message is in the log and before
 * anybody is told that it was accepted. Whoever holds the session's lease removes it, and looks at the log once more
 * afterwards. So a message that is not seen there has a mark, and is found when its process is killed.
 */
export async function markBacklog(path: string): Promise<void> {
  await makeFolder(dirname(path));
  await writeFile(path, "");
}

/** At once, so that nothing that this process accepts can come in between. */
export function unmarkBacklog(path: string): void {
  rmSync(path, { force: true });
}
