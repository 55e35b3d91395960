import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isSystemError } from "../core/system-error.js";

const onWindows = process.platform === "win32";
const POLL_MS = 20;

/** Killed when this process exits. */
const running = new Set<ProcessGroup>();
let listening = false;

/**
 * Starts a shell command in a process group of its own.
 *
 * @param wrapper a program with its arguments that runs the shell, such as a sandbox; ignored on Windows
 */
export function spawnShell(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  wrapper: readonly string[] = [],
): ChildProcess {
  if (onWindows) {
    return spawn(command, { cwd, env, shell: true, windowsHide: true, stdio: ["ignore", "pipe", "pipe"] });
  }
  // One pipe for both outputs preserves their order.
  return spawn("/bin/sh", ["-c", 'exec "$@" 2>&1', "sh", ...wrapper, "/bin/sh", "-c", command], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** A process that leads a group, with every process it starts, except those that leave the group on purpose (`setsid`). */
export class ProcessGroup {
  readonly child: ChildProcess;

  /** @param child started with `detached`, except on Windows */
  constructor(child: ChildProcess) {
    this.child = child;
    running.add(this);
    this.child.once("error", () => running.delete(this));
    listen();
  }

  /** Sends SIGTERM to every process, and SIGKILL after `graceMs` to those that are left. */
  async end(graceMs: number): Promise<void> {
    this.#signal("SIGTERM");
    for (let waited = 0; waited < graceMs && this.#exists(); waited += POLL_MS) await delay(POLL_MS);
    this.kill();
  }

  kill(): void {
    this.#signal("SIGKILL");
    running.delete(this);
  }

  #exists(): boolean {
    const { pid } = this.child;
    return pid !== undefined && this.#signal(0) && (onWindows || hasLivingMember(pid));
  }

  /** False when no process is left. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.child;
    if (pid === undefined) return false;
    if (onWindows) return this.#signalOnWindows(pid, signal);
    try {
      return process.kill(-pid, signal);
    } catch (error) {
      if (isSystemError(error) && (error.code === "ESRCH" || error.code === "EPERM")) return false;
      throw error;
    }
  }

  /** Windows has no signals: the whole process tree is killed at once. */
  #signalOnWindows(pid: number, signal: NodeJS.Signals | 0): boolean {
    if (signal !== 0)
      spawn("taskkill", ["/pid", `${pid}`, "/t", "/f"], { stdio: "ignore", windowsHide: true });
    return this.child.exitCode === null;
  }
}

function listen(): void {
  if (listening) return;
  listening = true;
  process.on("exit", () => {
    for (const group of running) group.kill();
  });
}

/**
 * Whether a process of the group is not a zombie. Where orphans are not reaped, as in many containers, dead members of a
 * group remain, and still accept signals. Needs `/proc`; without it, every member counts.
 */
function hasLivingMember(groupId: number): boolean {
  try {
    return readdirSync("/proc").some((name) => /^\d+$/.test(name) && isLivingMember(name, groupId));
  } catch (error) {
    if (isSystemError(error)) return true;
    throw error;
  }
}

function isLivingMember(processId: string, groupId: number): boolean {
  try {
    // 4711 (any name) S 1 4700 …: state, parent, group
    const stat = readFileSync(`/proc/${processId}/stat`, "utf8");
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === `${groupId}` && state !== "Z" && state !== "X";
  } catch (error) {
    // The process has ended since.
    if (isSystemError(error)) return false;
    throw error;
  }
}
