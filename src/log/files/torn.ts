import { type FileHandle, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { newId } from "../../core/ids.js";
import type { Position } from "../types.js";
import { endOfLines, isLineStart, type Readable } from "./backwards.js";
import { syncFolder } from "./folder.js";

const BLOCK_BYTES = 1024 * 1024;

/** A partial line that a dead writer left, and where it was saved. */
export interface Recovery {
  session: string;
  /** The session's file. */
  path: string;
  /** Where the torn line began, now the end of the session. */
  position: Position;
  bytes: number;
  /** The file with these bytes. */
  savedAs: string;
}

type TornFile = Readable & Pick<FileHandle, "truncate" | "datasync">;

/**
 * Returns the end of a file's last complete line. Bytes after it are copied to a file of their own and, once that is on disk,
 * truncated. Only for the holder of the lock: otherwise they may be a line that another process is writing.
 */
export async function setTornAside(
  file: TornFile,
  size: number,
  { session, path, onRecovery }: TornOptions,
): Promise<Position> {
  if (await isLineStart(file, size)) return size;
  const position = await endOfLines(file, size);
  const savedAs = path.replace(/\.jsonl$/, `.torn-${newId()}`);
  await copy(file, position, size, savedAs);
  await syncFolder(dirname(savedAs));
  await file.truncate(position);
  await file.datasync();
  onRecovery?.({ session, path, position, bytes: size - position, savedAs });
  return position;
}

export interface TornOptions {
  session: string;
  path: string;
  onRecovery?: ((recovery: Recovery) => void) | undefined;
}

async function copy(from: Readable, start: Position, end: Position, path: string): Promise<void> {
  const to = await open(path, "wx", 0o600);
  try {
    for (let at = start; at < end; ) {
      const block = new Uint8Array(Math.min(BLOCK_BYTES, end - at));
      const { bytesRead } = await from.read(block, 0, block.length, at);
      if (bytesRead === 0) break;
      await to.writeFile(block.subarray(0, bytesRead));
      at += bytesRead;
    }
    await to.sync();
  } catch (error) {
    // Such as a full disk; the bytes are still in the session's file.
    await rm(path, { force: true });
    throw error;
  } finally {
    await to.close();
  }
}
