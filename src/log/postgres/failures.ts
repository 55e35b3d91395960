import { DragomanError, wordsOf } from "../../core/error.js";

/** SQLSTATEs after which another connection, or the same one later, can succeed; nothing of the statement is stored. */
const TRANSIENT = /^(08|57P|25006|40001|40P01|53300|55P04)/;

/** A statement was not sent, because no connection could be opened. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super(wordsOf(cause), { cause });
  }
}

/** The SQLSTATE of an error that the server reported; undefined for a failure of the connection. */
function sqlState(error: unknown): string | undefined {
  if (error instanceof NotConnected) return sqlState(error.cause);
  const isReported = error instanceof Error && "severity" in error && "code" in error;
  return isReported && typeof error.code === "string" ? error.code : undefined;
}

/** Whether a repetition may succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof NotConnected) return isTransient(error.cause);
  if (error instanceof DragomanError) return error.code === "log/unavailable";
  const state = sqlState(error);
  return state === undefined || TRANSIENT.test(state);
}

/** Whether the statement may have been executed: the connection ended before the server answered. */
export function isUnclear(error: unknown): boolean {
  if (error instanceof NotConnected) return false;
  const state = sqlState(error);
  return state === undefined || /^(08|57P)/.test(state);
}

/** A failure of the database in our terms. `store` names it for people, without a password. */
export function storeFailure(store: string, cause: unknown): DragomanError {
  if (cause instanceof DragomanError) return cause;
  if (cause instanceof NotConnected) return storeFailure(store, cause.cause);
  const state = sqlState(cause);
  if (state === undefined || TRANSIENT.test(state)) return unavailable(store, cause);
  if (state === "53100") {
    return new DragomanError("log/disk-full", `cannot write to ${store}: the server's disk is full`, {
      hint: "make room on the database server",
      cause,
    });
  }
  if (state.startsWith("28") || state === "3D000") {
    return new DragomanError("log/unreadable", `cannot log in to ${store}: ${wordsOf(cause)}`, {
      hint: /, no encryption$/.test(wordsOf(cause))
        ? "the server may require encryption: add ?sslmode=verify-full to the store's address"
        : "check the user, the password and the database in the store's address",
      cause,
    });
  }
  if (state === "42501") {
    return new DragomanError("log/read-only", `cannot write to ${store}: ${wordsOf(cause)}`, {
      hint: "grant the database user the right to create tables in the schema, and to use them",
      cause,
    });
  }
  return new DragomanError("log/write-failed", `${store} refused a statement: ${wordsOf(cause)}`, { cause });
}

function unavailable(store: string, cause: unknown): DragomanError {
  const why = wordsOf(cause);
  return new DragomanError("log/unavailable", `${store} cannot be reached: ${why}`, {
    hint: hintFor(why),
    cause,
  });
}

function hintFor(why: string): string {
  if (/certificate/.test(why)) {
    return "if the server's authority is your own, set NODE_EXTRA_CA_CERTS to the file with its certificate";
  }
  if (/does not support SSL/.test(why)) {
    return "enable ssl on the server, or remove sslmode from the store's address";
  }
  return "check that the database server is running and reachable; nothing was stored";
}

/** The connection ended while messages were being stored, and the server did not come back in time to ask. */
export function unclear(session: string, cause?: unknown): DragomanError {
  return new DragomanError(
    "log/unclear",
    `whether the messages of session ${session} were stored is unknown`,
    {
      hint: "read the end of the session, or repeat the request with the same idempotency key",
      cause,
    },
  );
}
