import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { newId } from "../../core/ids.js";
import { isObject } from "../../core/json/value.js";
import { systemCode } from "../files/disk-error.js";

/** A process that can hold locks: enough to find out later whether it still lives. */
export interface Holder {
  pid: number;
  host: string;
  /** Tells it from every other holder there ever was. */
  nonce: string;
  /** Where the system tells: when the process started, which boot, and which namespace its number belongs to. */
  started?: string;
  boot?: string;
  pids?: string;
}

export type Fate = "alive" | "dead" | "unknown";

/** This process, as a holder of its own. */
export function thisProcess(): Holder {
  const { pid } = process;
  const started = startOf(pid);
  const boot = orUndefined(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
  const pids = orUndefined(() => readlinkSync("/proc/self/ns/pid"));
  return {
    pid,
    host: hostname(),
    nonce: newId(),
    ...(typeof started === "string" ? { started } : {}),
    ...(boot === undefined ? {} : { boot }),
    ...(pids === undefined ? {} : { pids }),
  };
}

/** What a lock file says; undefined if it is none. */
export function parseHolder(text: string): Holder | undefined {
  const value = orUndefined(() => JSON.parse(text));
  if (!isObject(value)) return undefined;
  const { pid, host, nonce, started, boot, pids } = value;
  if (typeof pid !== "number" || typeof host !== "string" || typeof nonce !== "string") return undefined;
  return {
    pid,
    host,
    nonce,
    ...(typeof started === "string" ? { started } : {}),
    ...(typeof boot === "string" ? { boot } : {}),
    ...(typeof pids === "string" ? { pids } : {}),
  };
}

/** Whether a holder lives, as far as `me` can see: not into other computers, nor into other containers. */
export function fateOf(holder: Holder, me: Holder): Fate {
  if (holder.host !== me.host) return "unknown";
  if (holder.boot !== me.boot) {
    return holder.boot === undefined || me.boot === undefined ? "unknown" : "dead";
  }
  if (holder.pids !== me.pids) return "unknown";
  if (!exists(holder.pid)) return "dead";
  const started = startOf(holder.pid);
  if (started === "ended") return "dead";
  // Without a start time to compare (not Linux, or hidden from this user) a living number is a living holder.
  const another = started !== undefined && holder.started !== undefined && started !== holder.started;
  return another ? "dead" : "alive";
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not being allowed to signal it means that it is there.
    return systemCode(error) !== "ESRCH";
  }
}

/** `12 (a name) S 1 …`: the third field is the state, the 22nd the start in ticks since the boot. */
function startOf(pid: number): string | "ended" | undefined {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A zombie has a number until its parent looks, but nothing else.
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}

/** What cannot be found out is undefined. */
function orUndefined<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
