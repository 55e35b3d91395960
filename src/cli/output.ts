import { randomBytes } from "node:crypto";
import { access, constants, type FileHandle, open, realpath, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DragomanError } from "../core/error.js";
import { writeFailure } from "./file-errors.js";
import { keep, removeAtEnd } from "./temporary.js";

/** Where a result goes. A file gets its name with `commit`; without it, it goes away when the program ends. */
export interface Output {
  write(text: string): Promise<void>;
  commit(): Promise<void>;
}

/** A file, or standard output for `-`. */
export async function openOutput(path: string): Promise<Output> {
  if (path === "-") return standardOutput;
  try {
    return await openFile(path);
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
    hint: "nothing is changed in place; write to another file",
  });
}

/** Two names of one file have one identity; a file that does not exist yet is known by its path. Devices have none. */
async function identity(path: string): Promise<string | undefined> {
  const info = await stat(path).catch(() => undefined);
  if (info !== undefined) return info.isFile() ? `${info.dev}:${info.ino}` : undefined;
  return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
}

const standardOutput: Output = {
  // A failure is heard by the program itself, which ends then: a reader that has gone needs no answer.
  write: (text) =>
    new Promise((done) => {
      process.stdout.write(text, (error) => {
        if (!error) done();
      });
    }),
  commit: async () => undefined,
};

async function openFile(path: string): Promise<Output> {
  const existing = await stat(path).catch(() => undefined);
  if (existing === undefined) return replacement(path, path, undefined);
  // The folder may be writable though the file is not; a protected file is not replaced.
  await access(path, constants.W_OK);
  if (existing.isFile()) return replacement(path, await realpath(path), existing.mode);
  const device = await open(path, "w");
  return { write: (text) => append(device, text, path), commit: () => device.close() };
}

/** Written beside the target under another name, which it gives up when everything is on the disk. */
async function replacement(path: string, target: string, mode: number | undefined): Promise<Output> {
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
  removeAtEnd(temporary);
  const handle = await open(temporary, "wx", mode);
  // Once more, because the umask has had its say.
  if (mode !== undefined) await handle.chmod(mode);
  return {
    write: (text) => append(handle, text, path),
    async commit() {
      try {
        await handle.sync();
        await handle.close();
        await rename(temporary, target);
      } catch (error) {
        throw writeFailure(path, error);
      }
      keep(temporary);
    },
  };
}

async function append(handle: FileHandle, text: string, path: string): Promise<void> {
  try {
    await handle.writeFile(text);
  } catch (error) {
    throw writeFailure(path, error);
  }
}
