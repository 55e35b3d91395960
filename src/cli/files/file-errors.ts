import { DragomanError } from "../../core/error.js";
import { isSystemError, type SystemError } from "../../core/system-error.js";

const reasons: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a directory",
  ENOTDIR: "part of the path is not a directory",
  ENOENT: "the folder does not exist",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
};

/** Why a file cannot be read. Errors that do not come from the file system are returned unchanged. */
export function readFailure(path: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  if (error.code === "ENOENT") {
    return new DragomanError("cli/no-file", `no such file: "${path}"`, {
      hint: "check the path, or pass `-` to read standard input",
      cause: error,
    });
  }
  return new DragomanError("cli/not-readable", `cannot read "${path}": ${reasonOf(error)}`, { cause: error });
}

export function writeFailure(path: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  return new DragomanError("cli/not-writable", `cannot write "${path}": ${reasonOf(error)}`, {
    cause: error,
  });
}

function reasonOf({ code, message }: SystemError): string {
  return reasons[code] ?? message;
}
