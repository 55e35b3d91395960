import { createHash } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../../core/ids.js";
import { type Fate, fateOf, type Holder, thisProcess } from "../locks/holder.js";
import { fallbackIfMissing } from "./disk-error.js";
import { entriesOf } from "./folder.js";

/** A process whose fate is unknown (on another computer, before a reboot) counts as dead after this time. */
const OLD_MS = 24 * 3_600_000;

/** `~01K….4711.8812345.3fa0c1d2`: an id, then the writing process: its number, its start time, where it runs. */
const ASIDE = /^(?:\..*)?~[0-9A-HJKMNP-TV-Z]{26}(?:\.(\d+)\.(\d+)\.([0-9a-f]{8}))?$/;

let me: Holder | undefined;

/**
 * A temporary name for a file or folder that is renamed when it is complete. It names the writing process, so that others
 * can recognise what a killed process left. `target` names what it becomes, for folders that users look into.
 */
export function asideName(target?: string): string {
  me ??= thisProcess();
  const visible = target === undefined ? "" : `.${target.slice(0, 30)}`;
  return `${visible}~${newId()}.${me.pid}.${me.started ?? 0}.${placeOf(me)}`;
}

/** The names of files and folders that dead processes have left in a folder, sorted. */
export async function leftoversIn(folder: string, now = Date.now()): Promise<string[]> {
  const left: string[] = [];
  for (const entry of await entriesOf(folder)) {
    const found = entry.isFile() || entry.isDirectory() ? ASIDE.exec(entry.name) : null;
    if (found === null) continue;
    const [, pid, started, place] = found;
    const fate = place === undefined ? "unknown" : fateOfWriter(Number(pid), started, place);
    const info =
      fate === "dead" ? undefined : await fallbackIfMissing(stat(join(folder, entry.name)), undefined);
    if (fate === "dead" || now - (info?.mtimeMs ?? now) > OLD_MS) left.push(entry.name);
  }
  return left;
}

/** Removes them. Two processes can do so at the same time. */
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

/** A hash of the scope in which process numbers are unique. */
function placeOf({ host, boot, pids }: Holder): string {
  return createHash("sha256")
    .update(JSON.stringify([host, boot, pids]))
    .digest("hex")
    .slice(0, 8);
}
