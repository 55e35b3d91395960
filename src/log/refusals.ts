import { DragomanError } from "../core/error.js";
import type { Position } from "./types.js";

/** Refuses an append that expected another end. */
export function moved(session: string, expected: Position, end: Position): DragomanError {
  return new DragomanError(
    "log/moved",
    `the session ${session} ends at ${end}, not at ${expected}: another process has appended to it`,
    { hint: "read the new messages, then decide again", details: { end } },
  );
}

/** Refuses what a former holder of a lease stores. */
export function fenced(name: string): DragomanError {
  return new DragomanError("log/fenced", `this process no longer holds the lease of ${name}`, {
    hint: "stop this work: another process may have resumed it",
  });
}

export function noSession(id: string): DragomanError {
  return new DragomanError("log/no-session", `there is no session ${JSON.stringify(id)}`);
}

export function closed(session: string): DragomanError {
  return new DragomanError("log/closed", `the session ${session} was closed`, { hint: "open it again" });
}

export function badPosition(session: string, position: Position): DragomanError {
  return new DragomanError("log/bad-position", `${position} is not a position of the session ${session}`, {
    hint: "use a position returned by this session, or 0 for the start",
  });
}

export function deleted(path: string, cause?: unknown): DragomanError {
  return new DragomanError("log/deleted", `"${path}" was deleted`, {
    hint: "restore the file and open the session again, or create another one",
    cause,
  });
}

export function replaced(path: string, how: string): DragomanError {
  return new DragomanError("log/replaced", `"${path}" ${how}`, {
    hint: "a log must only be appended to; open the session again to continue with the current file",
  });
}

/** Lines that were read are no longer in the session's file. */
export function shortened(session: string, cause: unknown): DragomanError {
  return new DragomanError("log/replaced", `another program has shortened the session ${session}`, {
    hint: "restore the file, or try again to continue with what is left of it",
    cause,
  });
}

export function foreign(path: string): DragomanError {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  return new DragomanError("log/foreign", `"${path}" was not written by dragoman`, {
    hint: `it is never changed; \`dragoman sessions fork ${name.replace(/\.jsonl$/, "")}\` makes a copy that can be continued`,
  });
}
