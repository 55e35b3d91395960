import { lstatSync, realpathSync, type Stats } from "node:fs";
import { access, constants, lstat, mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { DragomanError } from "../core/error.js";
import { newId } from "../core/ids.js";
import { isSystemError } from "../core/system-error.js";
import { Anchor, canAnchor, type Opened } from "./anchor.js";
import { refuseOddPath } from "./path-rules.js";
import { fileFailure } from "./system-error.js";

/** A place in the workspace, without symbolic links when it was resolved. */
export interface Location {
  /** With slashes, relative to the workspace; `.` is the workspace itself. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly exists: boolean;
}

/**
 * A folder that the file tools cannot leave: not by `..`, an absolute path, or a symbolic link, even one that is created
 * between the check and the opening.
 *
 * Limits: hard links and mounts inside the workspace count as its files, and on systems without `/proc` a process that swaps
 * folders at the right moment can win the race (see `Anchor`).
 */
export class Workspace {
  readonly root: string;
  readonly #givenRoot: string;
  readonly #anchored: boolean;
  readonly #hidden: readonly string[];

  /** @param hide folders that no path may lead into, unless the workspace is inside them */
  constructor(root: string, anchored = canAnchor, hide: readonly string[] = []) {
    this.#anchored = anchored;
    this.#givenRoot = resolve(root);
    try {
      this.root = realpathSync.native(this.#givenRoot);
    } catch (error) {
      throw fileFailure(root, error);
    }
    if (!lstatSync(this.root).isDirectory()) {
      throw new DragomanError("tools/not-a-file", `the workspace "${root}" is not a directory`);
    }
    this.#hidden = hide
      .map((folder) => realPathOf(folder) ?? resolve(folder))
      .filter((folder) => !isInside(folder, this.root));
  }

  /** Resolves a model's path. Throws when it leads outside the workspace. */
  locate(path: string): Location {
    refuseOddPath(path, process.platform);
    try {
      return this.#follow(path, this.#absolute(path));
    } catch (error) {
      throw fileFailure(path, error);
    }
  }

  /** The subject for permission rules: the resolved path, or the path itself if it cannot be resolved. */
  subject(path: string): string {
    try {
      return this.locate(path).path;
    } catch (error) {
      // The call itself will fail with the same error.
      if (error instanceof DragomanError) return path;
      throw error;
    }
  }

  /** Opens a regular file or a directory, and closes it after `use`. */
  async open<T>(location: Location, use: (opened: Opened) => Promise<T>): Promise<T> {
    return this.#inFolder(location, false, async (folder, name) => {
      if (name === undefined) {
        const { handle, steadyPath } = folder;
        return use({ handle, info: await handle.stat(), steadyPath });
      }
      // Checked before opening too, because opening a device can have side effects.
      refuseSpecial(location.path, await lstat(folder.pathOf(name)));
      const opened = await folder.openToRead(name);
      try {
        refuseSpecial(location.path, opened.info);
        return await use(opened);
      } finally {
        await opened.handle.close();
      }
    });
  }

  /**
   * Replaces a file's contents atomically: readers see the old or the new contents. The mode stays.
   * With `expected`, nothing is written if the file has changed since.
   */
  async replace(location: Location, contents: Uint8Array, expected?: Stats): Promise<{ created: boolean }> {
    return this.#inFolder(location, true, async (folder, name) => {
      if (name === undefined) throw notAFile(location.path, "a directory");
      const before = await existing(folder, name, location.path);
      const temporary = `.dragoman-${newId()}.tmp`;
      try {
        const handle = await folder.create(temporary, 0o666);
        try {
          await handle.writeFile(contents);
          if (before !== undefined) await handle.chmod(before.mode & 0o777);
          await handle.sync();
        } finally {
          await handle.close();
        }
        if (expected !== undefined) await refuseChanged(folder, name, location.path, expected);
        await rename(folder.pathOf(temporary), folder.pathOf(name));
      } catch (error) {
        await rm(folder.pathOf(temporary), { force: true });
        throw error;
      }
      return { created: before === undefined };
    });
  }

  #absolute(path: string): string {
    const absolute = resolve(this.root, path);
    if (isInside(this.root, absolute)) return absolute;
    // The given root may be a link.
    if (isInside(this.#givenRoot, absolute)) return join(this.root, relative(this.#givenRoot, absolute));
    throw this.#outside(path);
  }

  /** Resolves the part of the path that exists; a write would create the rest. */
  #follow(path: string, absolute: string): Location {
    const missing: string[] = [];
    let current = absolute;
    for (;;) {
      const real = realPathOf(current);
      if (real !== undefined) {
        if (!isInside(this.root, real)) throw this.#outside(path);
        if (this.#hidden.some((folder) => isInside(folder, join(real, ...missing)))) throw refuseHidden(path);
        const segments = [...relative(this.root, real).split(sep), ...missing].filter((name) => name !== "");
        return { path: segments.join("/") || ".", segments, exists: missing.length === 0 };
      }
      if (current === this.root) throw new DragomanError("tools/not-found", "the workspace is gone");
      if (lstatSync(current, { throwIfNoEntry: false }) !== undefined) {
        const message = `"${path}" leads through a symbolic link whose target does not exist`;
        throw new DragomanError("tools/not-found", message);
      }
      missing.unshift(basename(current));
      current = dirname(current);
    }
  }

  async #inFolder<T>(
    { path, segments }: Location,
    create: boolean,
    use: (folder: Anchor, name: string | undefined) => Promise<T>,
  ): Promise<T> {
    let folder: Anchor | undefined;
    try {
      folder = await Anchor.open(this.root, this.#anchored);
      for (const name of segments.slice(0, -1)) {
        if (create) await makeFolder(folder.pathOf(name));
        const next: Anchor = await folder.enter(name);
        await folder.close();
        folder = next;
      }
      return await use(folder, segments.at(-1));
    } catch (error) {
      throw fileFailure(path, error);
    } finally {
      await folder?.close();
    }
  }

  #outside(path: string): DragomanError {
    return new DragomanError("tools/outside-workspace", `"${path}" is outside the workspace ${this.root}`, {
      hint: "use a path inside it; relative paths start there",
    });
  }
}

function refuseHidden(path: string): DragomanError {
  return new DragomanError("tools/outside-workspace", `"${path}" belongs to Dragoman, not to the workspace`);
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`);
}

/** Undefined when it does not exist. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch((error: unknown) => {
    if (!isSystemError(error) || error.code !== "EEXIST") throw error;
  });
}

/** The regular file that a write replaces; undefined when there is none. */
async function existing(folder: Anchor, name: string, path: string): Promise<Stats | undefined> {
  const info = await lstatIfAny(folder.pathOf(name));
  if (info === undefined) return undefined;
  if (info.isDirectory()) throw notAFile(path, "a directory");
  refuseSpecial(path, info);
  // A read-only file is not replaced, even if its folder is writable.
  await access(folder.pathOf(name), constants.W_OK);
  return info;
}

async function refuseChanged(folder: Anchor, name: string, path: string, expected: Stats): Promise<void> {
  const info = await lstatIfAny(folder.pathOf(name));
  if (info?.ino === expected.ino && info.mtimeMs === expected.mtimeMs && info.size === expected.size) return;
  const message = `"${path}" was changed by another program in the meantime; read it again`;
  throw new DragomanError("tools/changed", message);
}

async function lstatIfAny(path: string): Promise<Stats | undefined> {
  return lstat(path).catch((error: unknown) => {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw error;
  });
}

function refuseSpecial(path: string, info: Stats): void {
  if (info.isFile() || info.isDirectory()) return;
  if (info.isSymbolicLink()) {
    throw new DragomanError("tools/changed", `"${path}" became a symbolic link in the meantime; try again`);
  }
  throw notAFile(path, info.isFIFO() ? "a named pipe" : info.isSocket() ? "a socket" : "a device");
}

export function notAFile(path: string, kind: string): DragomanError {
  return new DragomanError("tools/not-a-file", `"${path}" is ${kind}, not a file`);
}
