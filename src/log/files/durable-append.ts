import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { DragomanError } from "../../core/error.js";
import type { Position } from "../types.js";
import { writeFailure } from "./disk-error.js";

/**
 * Linux can store each write of a file on disk before it returns, like an fdatasync after it, with one request to Node's
 * thread pool instead of two. On other systems such a write may stay in the cache of the disk itself.
 */
const SYNCED_WRITES = process.platform === "linux" ? constants.O_DSYNC : 0;

export interface AppendFile extends Pick<FileHandle, "write" | "datasync" | "truncate"> {
  /** A write is on disk when it returns. */
  writesAreSynced?: boolean;
}

/** Opens a file for `appendDurably`. */
export async function openForAppends(
  path: string,
  flags: number,
  mode?: number,
): Promise<FileHandle & AppendFile> {
  const file = await open(path, flags | SYNCED_WRITES, mode);
  return Object.assign(file, { writesAreSynced: SYNCED_WRITES !== 0 });
}

/**
 * Appends at `end`, the end of the file; fulfilled when the bytes are on disk, and so is what `also` waits for. On a failure the written part is truncated
 * again, because it was not acknowledged, and the caller must close the file: after a failed fdatasync it can be trusted only
 * once it is reopened.
 */
export async function appendDurably(
  file: AppendFile,
  bytes: Uint8Array,
  end: Position,
  path: string,
  also?: Promise<void>,
): Promise<void> {
  try {
    for (let written = 0; written < bytes.length; ) {
      // After a short write the next one continues, or reports the error.
      written += (await file.write(bytes, written, bytes.length - written)).bytesWritten;
    }
    if (file.writesAreSynced !== true) await file.datasync();
    await also;
  } catch (error) {
    throw await rollBack(file, end, writeFailure(path, error));
  }
}

async function rollBack(file: AppendFile, end: Position, failure: DragomanError): Promise<DragomanError> {
  try {
    await file.truncate(end);
    await file.datasync();
    return failure;
  } catch (cause) {
    return new DragomanError(
      "log/write-failed",
      `${failure.message}; part of it may have been stored: rolling back failed`,
      { hint: "read the end of the session before you try again", cause },
    );
  }
}
