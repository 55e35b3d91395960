import { DragomanError } from "../../core/error.js";

/** The error for a database that cannot be read as SQLite's file format. */
export function damaged(path: string, problem: string): DragomanError {
  return new DragomanError("log/unreadable", `${path} cannot be read: ${problem}`, {
    hint: "open it with the program that wrote it, or check it with `PRAGMA integrity_check`",
  });
}
