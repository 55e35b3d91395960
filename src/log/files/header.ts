import type { SessionMessage } from "../../core/types.js";
import { is } from "../../core/validate.js";
import { entryOf } from "../entry.js";
import type { Readable } from "./backwards.js";
import { withFile } from "./reader.js";

const FIRST_BYTES = 4 * 1024;
/** A longer first line is not one of our headers. */
const MAX_HEADER_BYTES = 1024 * 1024;

/** The header in the first line of a session's file; undefined when another program wrote it. */
export async function readHeader(file: Readable): Promise<SessionMessage | undefined> {
  for (let room = FIRST_BYTES; room <= MAX_HEADER_BYTES; room *= 16) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(room), 0, room, 0);
    const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
    if (end === -1 && bytesRead === room) continue;
    if (end === -1) return undefined;
    const entry = entryOf({ bytes: buffer.subarray(0, end), position: 0, next: end + 1 });
    const message = entry !== undefined && "message" in entry ? entry.message : undefined;
    return is("SessionMessage", message) ? message : undefined;
  }
  return undefined;
}

export interface Inspected {
  header: SessionMessage | undefined;
  size: number;
  modified: number;
}

/** A session file's header, size and time. */
export function inspect(path: string): Promise<Inspected> {
  return withFile(path, async (file) => {
    const { size, mtimeMs } = await file.stat();
    return { header: await readHeader(file), size, modified: mtimeMs };
  });
}
