import { DragomanError } from "../../core/error.js";
import type { Archive } from "./archive.js";

export interface Copied {
  sessions: number;
  bytes: number;
}

/**
 * Copies all sessions, byte for byte, with their keys and the fact that they are due. What an interrupted copy has stored is not
 * copied again; a session is visible in the target when it is complete.
 */
export async function copySessions(
  from: Archive,
  to: Archive,
  onProgress: (copied: Copied) => void = () => undefined,
): Promise<Copied> {
  const copied: Copied = { sessions: 0, bytes: 0 };
  for await (const session of from.sessions()) {
    const { id, size } = session;
    let end = (await to.endOf(session)) ?? 0;
    if (end > size) throw different(id, size, end);
    for await (const lines of from.read(session, end)) {
      await to.write(session, end, lines);
      end += lines.length;
      copied.bytes += lines.length;
      onProgress(copied);
    }
    if (end !== size) throw different(id, size, end);
    await to.publish(session);
    copied.sessions += 1;
    onProgress(copied);
  }
  for await (const [key, session] of from.keys()) await to.point(key, session);
  for (const session of await from.due()) await to.markDue(session);
  return copied;
}

function different(id: string, size: number, end: number): DragomanError {
  return new DragomanError(
    "log/moved",
    `the session ${id} has ${size} bytes in the source and ${end} in the target`,
    { hint: "both stores were used after the copy began; copy to an empty store" },
  );
}
