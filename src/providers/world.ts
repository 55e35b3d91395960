import { type Clock, systemClock } from "../core/async/clock.js";

/** What a call needs of the world around it. Tests pass their own. */
export interface World extends Clock {
  fetch(url: string, init: RequestInit): Promise<Response>;
  env(name: string): string | undefined;
  /** The text of a file; undefined if there is no such file, or no file system, as in a browser. */
  readFile(path: string): Promise<string | undefined>;
}

/** The real one. */
export const world: World = {
  ...systemClock,
  fetch: (url, init) => globalThis.fetch(url, init),
  env: (name) => globalThis.process?.env[name],
  readFile,
};

/** Not imported, so that this module runs in browsers too. */
async function readFile(path: string): Promise<string | undefined> {
  const files = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  try {
    return await files?.readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
