import { DragomanError } from "../../core/error.js";
import { isSystemError, type SystemError } from "../../core/system-error.js";

const reasons: Record<string, string> = {
  EACCES: "you have no permission",
  EPERM: "you have no permission",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is not a directory",
  ENOENT: "its folder does not exist",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
};

/** Why a file cannot be read, in plain words. What is no error of the file system is returned as it is. */
export function readFailure(path: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  if (error.code === "ENOENT") {
    return new DragomanError("cli/no-file", `there is no file "${path}"`, {
      hint: "check the path, or give `-` to read standard input",
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
