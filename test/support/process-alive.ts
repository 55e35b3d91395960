import { readFileSync } from "node:fs";

/** Whether there is such a process, and it is more than a zombie, which only waits for somebody to ask how it ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
