import { constants, existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { relative } from "node:path";
import { onTestFinished, vi } from "vitest";

/** Linux tells which file a handle is of. */
export const canRecordSteps = existsSync("/proc/self/fd");

/**
 * What is done from here on to bring the files of a folder onto the disk, in its order: `sync a.json`, `truncate a.jsonl`, and
 * of a folder what is in it by then, `sync sub/: a.jsonl`. Ids are `ID`.
 */
export async function recordSteps(folder: string): Promise<string[]> {
  const steps: string[] = [];
  const any = await open(folder, "r");
  const handles: FileHandle = Object.getPrototypeOf(any);
  await any.close();
  const record = (verb: string, handle: FileHandle) => {
    const path = readlinkSync(`/proc/self/fd/${handle.fd}`);
    const name = relative(folder, path) || ".";
    if (name.startsWith("../")) return;
    const members = statSync(path, { throwIfNoEntry: false })?.isDirectory()
      ? `/: ${readdirSync(path).map(withoutId).sort().join(" ")}`
      : "";
    steps.push(`${verb} ${withoutId(name)}${members}`);
  };
  const { sync, datasync, truncate, write } = handles;
  vi.spyOn(handles, "sync").mockImplementation(function (this: FileHandle) {
    record("sync", this);
    return sync.call(this);
  });
  vi.spyOn(handles, "datasync").mockImplementation(function (this: FileHandle) {
    record("sync", this);
    return datasync.call(this);
  });
  vi.spyOn(handles, "write").mockImplementation(function (
    this: FileHandle,
    ...args: Parameters<typeof write>
  ) {
    if (syncsWrites(this)) record("sync", this);
    return write.apply(this, args);
  });
  vi.spyOn(handles, "truncate").mockImplementation(function (this: FileHandle, length?: number) {
    record("truncate", this);
    return truncate.call(this, length);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return steps;
}

/** Whether each write of the file is on disk when it returns. */
function syncsWrites({ fd }: FileHandle): boolean {
  const [, flags = ""] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8")) ?? [];
  return (Number.parseInt(flags, 8) & constants.O_DSYNC) !== 0;
}

function withoutId(name: string): string {
  // What is written aside also names the process that writes it.
  return name.replaceAll(/[0-9A-HJKMNP-TV-Z]{26}(?:\.\d+\.\d+\.[0-9a-f]+)?/g, "ID");
}
