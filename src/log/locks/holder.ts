import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { newId } from "../../core/ids.js";
import { isObject } from "../../core/json/value.js";
import { systemCode } from "../files/disk-error.js";

/** A process that can hold locks: enough to find out later whether it is still alive. */
export interface Holder {
  pid: number;
  host: string;
  /** Unique among all holders, past ones included. */
  nonce: string;
  /** If the system reports them: when the process started, in which boot, and its process number's namespace. */
  started?: string;
  boot?: string;
  pids?: string;
}

export type Fate = "alive" | "dead" | "unknown";

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

/** A lock file's content; undefined if it is invalid. */
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

/** Whether a holder is alive, as far as `me` can see: other computers and containers are not visible. */
export function fateOf(holder: Holder, me: Holder): Fate {
  if (holder.host !== me.host) return "unknown";
  if (holder.boot !== me.boot) {
    return holder.boot === undefined || me.boot === undefined ? "unknown" : "dead";
  }
  if (holder.pids !== me.pids) return "unknown";
  if (!exists(holder.pid)) return "dead";
  const started = startOf(holder.pid);
  if (started === "ended") return "dead";
  // Without a start time to compare (not Linux, or hidden from this user) an existing number is a living holder.
  const another = started !== undefined && holder.started !== undefined && started !== holder.started;
  return another ? "dead" : "alive";
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that it exists.
    return systemCode(error) !== "ESRCH";
  }
}

/** `12 (a name) S 1 …`: the third field is the state, the 22nd the start in ticks since boot. */
function startOf(pid: number): string | "ended" | undefined {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A zombie keeps its number until its parent reaps it.
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
