import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { isSystemError } from "../../core/system-error.js";
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
    return headerIn(buffer.subarray(0, end));
  }
  return undefined;
}

function headerIn(line: Uint8Array): SessionMessage | undefined {
  const entry = entryOf({ bytes: line, position: 0, next: line.length + 1 });
  const message = entry !== undefined && "message" in entry ? entry.message : undefined;
  return is("SessionMessage", message) ? message : undefined;
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

/**
 * The same, without waiting, for a file whose first line is short; undefined for others, and if the file cannot be read. To
 * wait for each step would take several times as long as the steps, and a list inspects every new file.
 */
export function inspectShort(path: string): Inspected | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const { size, mtimeMs } = fstatSync(file);
      const buffer = new Uint8Array(Math.min(FIRST_BYTES, size));
      const end = buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0)).indexOf(0x0a);
      if (end === -1) return undefined;
      return { header: headerIn(buffer.subarray(0, end)), size, modified: mtimeMs };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
