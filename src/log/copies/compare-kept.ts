import type { Blobs, Store, StoredBlob } from "../store.js";
import type { KeptNames } from "./archive.js";
import type { Difference } from "./compare-sessions.js";
import { blobName } from "./copy-blobs.js";
import { readLines } from "./copy-kept.js";

/** Compares the files that messages refer to, byte for byte. */
export async function* compareBlobs(one: Blobs, other: Blobs): AsyncGenerator<Difference> {
  const others = new Map<string, StoredBlob>();
  for await (const blob of other.list()) others.set(blobName(blob), blob);
  for await (const blob of one.list()) {
    const found = others.get(blobName(blob));
    others.delete(blobName(blob));
    if (found === undefined) yield fileDifference(blob, "only in the first store");
    else if (!(await haveSameBytes(one, blob, other, found))) yield fileDifference(blob, "different");
  }
  for (const blob of others.values()) yield fileDifference(blob, "only in the second store");
}

function fileDifference({ session, hash, extension }: StoredBlob, what: string): Difference {
  return { name: session, what: `has the media file ${hash}.${extension}, which is ${what}` };
}

async function haveSameBytes(
  one: Blobs,
  blob: StoredBlob,
  other: Blobs,
  found: StoredBlob,
): Promise<boolean> {
  const [bytes, others] = [await one.get(blob.ref), await other.get(found.ref)];
  return bytes !== undefined && others !== undefined && Buffer.compare(bytes, others) === 0;
}

/** Compares shared lines, such as usage records. */
export async function* compareLines(
  one: Store,
  other: Store,
  names: readonly KeptNames[],
): AsyncGenerator<Difference> {
  for (const name of [...new Set(names.flatMap(({ lines }) => lines))].sort()) {
    const [lines, others] = [await readLines(one, name), await readLines(other, name)];
    if (lines.length !== others.length) {
      yield { name, what: `has ${lines.length} and ${others.length} lines` };
    } else if (lines.some((line, index) => line !== others[index]))
      yield { name, what: "has different lines" };
  }
}
