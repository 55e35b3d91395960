import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { DragomanError } from "../core/error.js";
import { isSystemError } from "../core/system-error.js";

/** Throws unless a session can work in the folder. It is never created: a missing folder is a moved or mistyped one. */
export async function requireFolder(folder: string): Promise<void> {
  if (!isAbsolute(folder)) throw unusable(folder, "is not an absolute path");
  try {
    if (!(await stat(folder)).isDirectory()) throw unusable(folder, "is not a folder");
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const isMissing = error.code === "ENOENT" || error.code === "ENOTDIR";
    throw unusable(folder, isMissing ? "does not exist" : `cannot be read (${error.code})`, error);
  }
}

function unusable(folder: string, reason: string, cause?: unknown): DragomanError {
  return new DragomanError("tools/no-workspace", `the session's workspace "${folder}" ${reason}`, {
    hint: "restore the folder, or choose another with `dragoman chat --session ID --workspace DIR`",
    cause,
  });
}
