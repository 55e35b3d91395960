import { type Clock, systemClock } from "../core/async/clock.js";
import { DragomanError, wordsOf } from "../core/error.js";

/** What a request to a provider uses of `RequestInit`. */
export interface ProviderRequest {
  method?: "GET" | "POST" | "DELETE";
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  redirect: "manual";
}

/** What is read of a `Response`. */
export interface ProviderResponse extends Pick<Response, "ok" | "status"> {
  type?: Response["type"];
  headers: Pick<Headers, "get">;
  body: { getReader(): ChunkReader } | null;
}

export interface ChunkReader {
  read(): Promise<IteratorResult<Uint8Array, unknown>>;
  /** A chunk that has already arrived, if any (default: chunks are only read with `read`). */
  readNow?(): Uint8Array | undefined;
  cancel(): Promise<void>;
}

/** A call's access to network, environment, files and time. Tests pass their own. */
export interface World extends Clock {
  fetch(url: string, init: ProviderRequest): Promise<ProviderResponse>;
  env(name: string): string | undefined;
  /** The text of a file; undefined if there is no such file, or no file system, as in a browser. */
  readFile(path: string): Promise<string | undefined>;
}

export const world: World = {
  ...systemClock,
  fetch: (url, init) => globalThis.fetch(url, init),
  env: (name) => globalThis.process?.env[name],
  readFile,
};

/** Does not import `node:fs`, so that this module also runs in browsers. */
async function readFile(path: string): Promise<string | undefined> {
  const files = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  try {
    return await files?.readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new DragomanError("config/invalid", `${path} cannot be read: ${wordsOf(cause)}`, {
      cause,
      hint: "check that it is a file, and its permissions",
    });
  }
}
