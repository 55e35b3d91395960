import { DragomanError } from "../core/error.js";
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

/** What the file system says about a path, in words for a model. What is no error of the system is returned as it is. */
export function fileFailure(path: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  switch (error.code) {
    case "ENOENT":
      return new DragomanError("tools/not-found", `"${path}" does not exist`, { cause: error });
    case "ENOTDIR":
      return new DragomanError("tools/not-found", `"${path}": a part of this path is not a directory`, {
        cause: error,
      });
    case "EISDIR":
      return new DragomanError("tools/not-a-file", `"${path}" is a directory`, { cause: error });
    case "ELOOP":
      return new DragomanError("tools/bad-path", `"${path}" is a symbolic link that leads to itself`, {
        cause: error,
      });
    default:
      return systemFailure(`"${path}"`, error);
  }
}

/** Any other refusal of the system, about anything. */
export function systemFailure(what: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  return new DragomanError("tools/failed", `${what}: ${reasons[error.code] ?? error.message}`, {
    cause: error,
  });
}
