import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { isSystemError } from "../core/system-error.js";
import { hasLivingMember } from "./living.js";

const onWindows = process.platform === "win32";
const POLL_MS = 20;

/** Groups that are running; none outlives this process as long as it can say goodbye. */
const running = new Set<ProcessGroup>();
let listening = false;

/** A command of the shell with every process it starts, except those that leave its group on purpose (`setsid`). */
export class ProcessGroup {
  readonly child: ChildProcess;

  /** `wrapper`: a program with its arguments that runs the shell, such as one that confines it. Windows has none. */
  constructor(
    command: string,
    cwd: string,
    env: Readonly<Record<string, string>>,
    wrapper: readonly string[] = [],
  ) {
    this.child = onWindows
      ? spawn(command, { cwd, env, shell: true, windowsHide: true, stdio: ["ignore", "pipe", "pipe"] })
      : // One pipe for both outputs keeps their order.
        spawn("/bin/sh", ["-c", 'exec "$@" 2>&1', "sh", ...wrapper, "/bin/sh", "-c", command], {
          cwd,
          env,
          detached: true,
          stdio: ["ignore", "pipe", "pipe"],
        });
    running.add(this);
    this.child.once("error", () => running.delete(this));
    listen();
  }

  /** Asks every process to end, and after `graceMs` ends those that are left. */
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

  /** False when nobody is left to get it. */
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

  /** Windows has no signals to be polite with: the whole tree is ended at once. */
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
