import { existsSync, type Stats } from "node:fs";
import { constants, type FileHandle, open, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { DragomanError } from "../core/error.js";
import { isSystemError } from "../core/system-error.js";

// Windows has none of the last three, and leaves them out of the sum.
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Linux reaches the members of an open folder through it, wherever its name leads by then. */
export const canAnchor = existsSync("/proc/self/fd");

/** A file or a folder that is open, with a path to it for system calls. */
export interface Opened {
  readonly handle: FileHandle;
  readonly info: Stats;
  readonly steadyPath: string;
}

/**
 * An open folder without symbolic links on its way. Members are opened one level at a time, and no link is followed.
 *
 * Anchored, a member's path begins with the open folder itself (`/proc/self/fd/20/name`), so that nobody can exchange a
 * folder above it in the meantime. Elsewhere the path is looked at once more after opening: somebody who exchanges a folder
 * twice at the right moments can still be faster when a file is made.
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

  /** Where a system call finds a member. */
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

  /** Never waits, also not for somebody to write into a pipe. */
  async openToRead(name: string): Promise<Opened> {
    const handle = await this.#openMember(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const steadyPath = this.#anchored ? `/proc/self/fd/${handle.fd}` : join(this.#realPath, name);
    return { handle, info: await handle.stat(), steadyPath };
  }

  /** A file that nobody had made before. */
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
  return new DragomanError("tools/changed", `"${name}" was exchanged while it was being opened; try again`, {
    cause,
  });
}
