import { DragomanError, type ErrorCode, wordsOf } from "../../core/error.js";
import { deleted } from "../refusals.js";

const codes = new Map<string, { code: ErrorCode; reason: string; hint: string }>([
  ...["ENOSPC", "EDQUOT"].map(
    (name) =>
      [name, { code: "log/disk-full", reason: "the disk is full", hint: "make room and try again" }] as const,
  ),
  ...["EROFS", "EACCES", "EPERM"].map(
    (name) =>
      [
        name,
        {
          code: "log/read-only",
          reason: "it cannot be written to",
          hint: "check the permissions of the folder, and that its disk is writable",
        },
      ] as const,
  ),
]);

/** The code of a failed system call, such as `ENOENT`; undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Why a file of the log could not be written. What is an error of ours is handed on. */
export function writeFailure(path: string, error: unknown): DragomanError {
  if (error instanceof DragomanError) return error;
  const known = codes.get(systemCode(error) ?? "");
  if (known !== undefined) {
    return new DragomanError(known.code, `cannot write "${path}": ${known.reason}`, {
      hint: known.hint,
      cause: error,
    });
  }
  return new DragomanError("log/write-failed", `cannot write "${path}": ${wordsOf(error)}`, { cause: error });
}

/** Why a file of the log could not be read. */
export function readFailure(path: string, error: unknown): DragomanError {
  if (error instanceof DragomanError) return error;
  if (systemCode(error) === "ENOENT") return deleted(path, error);
  return new DragomanError("log/unreadable", `cannot read "${path}": ${wordsOf(error)}`, { cause: error });
}
