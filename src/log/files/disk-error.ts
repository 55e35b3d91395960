import { DragomanError, wordsOf } from "../../core/error.js";
import { deleted } from "../refusals.js";

const FULL = new Set(["ENOSPC", "EDQUOT"]);
const UNWRITABLE = new Set(["EROFS", "EACCES", "EPERM"]);

/** The code of a failed system call, such as `ENOENT`; undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Whether an error means that a file or folder is read-only. */
export function isUnwritable(error: unknown): boolean {
  return UNWRITABLE.has(systemCode(error) ?? "");
}

/** The promise's value, or `fallback` if the file or folder does not exist. */
export async function fallbackIfMissing<T, F>(value: Promise<T>, fallback: F): Promise<T | F> {
  try {
    return await value;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return fallback;
    throw error;
  }
}

/** Why a log file could not be written. A DragomanError is returned unchanged. */
export function writeFailure(path: string, cause: unknown): DragomanError {
  if (cause instanceof DragomanError) return cause;
  if (FULL.has(systemCode(cause) ?? "")) {
    const hint = "make room and try again";
    return new DragomanError("log/disk-full", `cannot write "${path}": the disk is full`, { hint, cause });
  }
  if (isUnwritable(cause)) {
    const hint = "check the folder's permissions, and that its disk is writable";
    return new DragomanError("log/read-only", `cannot write "${path}": it is read-only`, { hint, cause });
  }
  return new DragomanError("log/write-failed", `cannot write "${path}": ${wordsOf(cause)}`, { cause });
}

/** Why a log file could not be read. */
export function readFailure(path: string, error: unknown): DragomanError {
  if (error instanceof DragomanError) return error;
  if (systemCode(error) === "ENOENT") return deleted(path, error);
  return new DragomanError("log/unreadable", `cannot read "${path}": ${wordsOf(error)}`, { cause: error });
}
