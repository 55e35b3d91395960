import { DragomanError } from "../../core/error.js";
import type { Blobs, StoredBlob } from "../store.js";

/** Copies the files that messages refer to. Those that an interrupted copy has stored are not copied again. */
export async function copyBlobs(from: Blobs, to: Blobs): Promise<number> {
  const known = new Set<string>();
  for await (const blob of to.list()) known.add(blobName(blob));
  let blobs = 0;
  for await (const blob of from.list()) {
    blobs += 1;
    if (known.has(blobName(blob))) continue;
    const bytes = await from.get(blob.ref);
    if (bytes === undefined)
      throw new DragomanError("log/unreadable", `the media file ${blob.ref} is missing`);
    await to.put(bytes, blob);
  }
  return blobs;
}

/** The same in every store. */
export function blobName({ agent, session, hash, extension }: StoredBlob): string {
  return `${agent} ${session} ${hash}.${extension}`;
}
