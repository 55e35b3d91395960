import { DragomanError, type ErrorCode } from "../core/error.js";
import { isSystemError } from "../core/system-error.js";

const reasons: Record<string, string> = {
  ENOENT: "it, or the folder for it, does not exist",
  EACCES: "no permission",
  EPERM: "no permission",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
  ENAMETOOLONG: "the name is too long",
  E2BIG: "it is too long",
};

const pathReasons: Record<string, [code: ErrorCode, reason: string]> = {
  ENOENT: ["tools/not-found", " does not exist"],
  ENOTDIR: ["tools/not-found", ": a part of this path is not a directory"],
  EISDIR: ["tools/not-a-file", " is a directory"],
  ELOOP: ["tools/bad-path", " is a symbolic link that leads to itself"],
};

/** A system error about a path, worded for a model. Any other error is returned unchanged. */
export function fileFailure(path: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  const [code, reason] = pathReasons[error.code] ?? [];
  if (code === undefined) return systemFailure(`"${path}"`, error);
  return new DragomanError(code, `"${path}"${reason}`, { cause: error });
}

/** Any other system error, with the action that failed. */
export function systemFailure(what: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  return new DragomanError("tools/failed", `${what}: ${reasons[error.code] ?? error.message}`, {
    cause: error,
  });
}
