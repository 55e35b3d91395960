import { createHash } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../../core/ids.js";
import { type Fate, fateOf, type Holder, thisProcess } from "../locks/holder.js";
import { systemCode } from "./disk-error.js";
import { entriesOf } from "./folder.js";

/** A process whose fate is unknown (on another computer, before a reboot) is taken for dead after this time. */
const OLD_MS = 24 * 3_600_000;

/** `~01K….4711.8812345.3fa0c1d2`: an id, and the process that writes the file: its number, its start, where it runs. */
const ASIDE = /^(?:\..*)?~[0-9A-HJKMNP-TV-Z]{26}(?:\.(\d+)\.(\d+)\.([0-9a-f]{8}))?$/;

let me: Holder | undefined;

/**
 * The name of a file or folder that is written aside, and renamed when it is whole. It says which process writes it, so that
 * others can tell what a killed one left. `of` names what it becomes, for folders that people look into.
 */
export function asideName(of?: string): string {
  me ??= thisProcess();
  const visible = of === undefined ? "" : `.${of.slice(0, 30)}`;
  return `${visible}~${newId()}.${me.pid}.${me.started ?? 0}.${placeOf(me)}`;
}

/** What processes that are gone have left in a folder: names of theirs, in order. */
export async function leftoversIn(folder: string, now = Date.now()): Promise<string[]> {
  const left: string[] = [];
  for (const entry of await entriesOf(folder)) {
    const found = entry.isFile() || entry.isDirectory() ? ASIDE.exec(entry.name) : null;
    if (found === null) continue;
    const [, pid, started, place] = found;
    const fate = place === undefined ? "unknown" : fateOfWriter(Number(pid), started, place);
    if (fate === "dead" || now - (await changeOf(join(folder, entry.name), now)) > OLD_MS) {
      left.push(entry.name);
    }
  }
  return left;
}

/** Removes them. Of two processes that do so at the same time, neither fails. */
export async function sweepFolder(folder: string): Promise<void> {
  for (const name of await leftoversIn(folder))
    await rm(join(folder, name), { recursive: true, force: true });
}

function fateOfWriter(pid: number, started: string | undefined, place: string): Fate {
  me ??= thisProcess();
  if (place !== placeOf(me)) return "unknown";
  const { started: mine, ...rest } = me;
  return fateOf({ ...rest, pid, ...(mine === undefined || started === undefined ? {} : { started }) }, me);
}

/** Where a process number means the same process. */
function placeOf({ host, boot, pids }: Holder): string {
  return createHash("sha256")
    .update(JSON.stringify([host, boot, pids]))
    .digest("hex")
    .slice(0, 8);
}

async function changeOf(path: string, now: number): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return now;
    throw error;
  }
}
