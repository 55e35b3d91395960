import { access, constants, type FileHandle, open, realpath, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DragomanError } from "../../core/error.js";
import { asideName, sweepFolder } from "../../log/files/aside.js";
import { writeFailure } from "./file-errors.js";
import { keepFile, removeOnExit } from "./temporary.js";

/** Where a result goes. A file gets its name with `commit`; without it, it is removed on exit. */
export interface Output {
  write(text: string | Uint8Array): Promise<void>;
  commit(): Promise<void>;
}

/** A file, or standard output for `-`. A new file is readable only by those who can read `source`, its origin. */
export async function openOutput(path: string, source?: string): Promise<Output> {
  if (path === "-") return standardOutput;
  try {
    return await openFile(path, source);
  } catch (error) {
    throw writeFailure(path, error);
  }
}

/** Refuses to write to a file that the same command reads or writes as `role`. */
export async function refuseSameFile(path: string, other: string | undefined, role: string): Promise<void> {
  if (path === "-" || other === undefined || other === "-") return;
  const [a, b] = await Promise.all([identity(path), identity(other)]);
  if (a === undefined || a !== b) return;
  throw new DragomanError("cli/usage", `"${path}" is the ${role} itself`, {
    hint: "files are never changed in place; write to another file",
  });
}

/** Equal for two names of one file; a file that does not exist yet has its path. Devices have none. */
async function identity(path: string): Promise<string | undefined> {
  const info = await stat(path).catch(() => undefined);
  if (info !== undefined) return info.isFile() ? `${info.dev}:${info.ino}` : undefined;
  return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
}

const standardOutput: Output = {
  // `main` handles errors of the stream and exits, so this never rejects.
  write: (text) =>
    new Promise((done) => {
      process.stdout.write(text, (error) => {
        if (!error) done();
      });
    }),
  commit: async () => undefined,
};

/** Discards what is written. */
export const noOutput: Output = { write: async () => undefined, commit: async () => undefined };

async function openFile(path: string, source: string | undefined): Promise<Output> {
  const existing = await stat(path).catch(() => undefined);
  if (existing === undefined) return newFile(path, source);
  // The folder may be writable though the file is not: never replace a protected file.
  await access(path, constants.W_OK);
  if (existing.isFile()) {
    const { temporary, handle } = await openTemporary(await realpath(path), existing.mode);
    // `open` applied the umask.
    await handle.chmod(existing.mode);
    return replacement(path, await realpath(path), temporary, handle);
  }
  const device = await open(path, "w");
  return { write: (text) => writeTo(device, text, path), commit: () => device.close() };
}

async function newFile(path: string, source: string | undefined): Promise<Output> {
  const readers = source === undefined ? undefined : (await stat(source).catch(() => undefined))?.mode;
  const { temporary, handle } = await openTemporary(path, 0o666 & (readers ?? 0o666));
  return replacement(path, path, temporary, handle);
}

/** A temporary file next to the target, renamed to it once everything is on disk. */
async function openTemporary(
  target: string,
  mode: number,
): Promise<{ temporary: string; handle: FileHandle }> {
  const folder = dirname(target);
  // A folder that cannot be listed may still be writable.
  await sweepFolder(folder).catch(() => undefined);
  const temporary = join(folder, asideName(basename(target)));
  let handle: FileHandle | undefined;
  removeOnExit(temporary, () => void handle?.close().catch(() => undefined));
  handle = await open(temporary, "wx", mode);
  return { temporary, handle };
}

function replacement(path: string, target: string, temporary: string, handle: FileHandle): Output {
  return {
    write: (text) => writeTo(handle, text, path),
    async commit() {
      try {
        await handle.sync();
        await handle.close();
        await rename(temporary, target);
      } catch (error) {
        throw writeFailure(path, error);
      }
      keepFile(temporary);
    },
  };
}

async function writeTo(handle: FileHandle, text: string | Uint8Array, path: string): Promise<void> {
  try {
    await handle.writeFile(text);
  } catch (error) {
    throw writeFailure(path, error);
  }
}
