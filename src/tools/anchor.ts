import { existsSync, type Stats } from "node:fs";
import { constants, type FileHandle, open, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { DragomanError } from "../core/error.js";
import { isSystemError } from "../core/system-error.js";

// Windows lacks the last three; there they are undefined, which counts as 0.
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Linux can address the members of an open folder through its descriptor, even after the folder was renamed. */
export const canAnchor = existsSync("/proc/self/fd");

/** An open file or folder, with a path to it for system calls. */
export interface Opened {
  readonly handle: FileHandle;
  readonly info: Stats;
  readonly steadyPath: string;
}

/**
 * An open folder with no symbolic links in its path. Members are opened one level at a time, and no link is followed.
 *
 * Anchored, a member's path begins with the open folder itself (`/proc/self/fd/20/name`), so that swapping a parent folder
 * has no effect. Elsewhere the path is checked again after opening: a process that swaps a folder twice at the right moments
 * can still win the race when a file is created.
 */
export class Anchor {
  readonly handle: FileHandle;
  readonly #realPath: string;
  readonly #anchored: boolean;

  private constructor(handle: FileHandle, realPath: string, anchored: boolean) {
    this.handle = handle;
    this.#realPath = realPath;
    this.#anchored = anchored;
  }

  static async open(realPath: string, anchored: boolean): Promise<Anchor> {
    return new Anchor(await open(realPath, O_RDONLY | O_DIRECTORY), realPath, anchored);
  }

  /** The path of a member for system calls. */
  pathOf(name: string): string {
    return join(this.steadyPath, name);
  }

  get steadyPath(): string {
    return this.#anchored ? `/proc/self/fd/${this.handle.fd}` : this.#realPath;
  }

  async enter(name: string): Promise<Anchor> {
    const handle = await this.#openMember(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    return new Anchor(handle, join(this.#realPath, name), this.#anchored);
  }

  /** Never blocks, not even on a pipe without a writer. */
  async openToRead(name: string): Promise<Opened> {
    const handle = await this.#openMember(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const steadyPath = this.#anchored ? `/proc/self/fd/${handle.fd}` : join(this.#realPath, name);
    return { handle, info: await handle.stat(), steadyPath };
  }

  /** Creates a file; fails if it exists. */
  async create(name: string, mode: number): Promise<FileHandle> {
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    return this.#openMember(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  async #openMember(name: string, flags: number, mode?: number): Promise<FileHandle> {
    const handle = await open(this.pathOf(name), flags, mode).catch((error: unknown) => {
      if (isSystemError(error) && (error.code === "ELOOP" || error.code === "ENOTDIR")) {
        throw changed(name, error);
      }
      throw error;
    });
    if (this.#anchored || (await isStillAt(handle, join(this.#realPath, name)))) return handle;
    await handle.close();
    throw changed(name);
  }
}

async function isStillAt(handle: FileHandle, path: string): Promise<boolean> {
  const [opened, real, named] = await Promise.all([
    handle.stat({ bigint: true }),
    realpath(path),
    stat(path, { bigint: true }),
  ]);
  return real === path && opened.ino === named.ino && opened.dev === named.dev;
}

function changed(name: string, cause?: unknown): DragomanError {
  const message = `"${name}" was replaced while it was being opened; try again`;
  return new DragomanError("tools/changed", message, { cause });
}
