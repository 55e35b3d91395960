import { spawn } from "node:child_process";

export interface Ended {
  /** The exit code; undefined if it ran into the time limit. */
  code: number | undefined;
  stdout: string;
  stderr: string;
}

export interface Launch {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** The longest it may run, in milliseconds. */
  limit: number;
}

/** Runs a program without input in a process group of its own, which ends with it or at the time limit. */
export function runProgram({ command: [file = "", ...args], cwd, env, limit }: Launch): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    // The group does not get the signals of this process.
    const onExit = () => endGroup(child.pid);
    process.once("exit", onExit);
    const texts = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      texts.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      texts.stderr += text;
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child.pid);
    }, limit);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    // What it leaves running holds its output open, so that "close" would not come.
    child.on("exit", () => endGroup(child.pid));
    child.on("close", (code) => {
      clearTimeout(timer);
      process.off("exit", onExit);
      resolve({ code: isLate ? undefined : (code ?? undefined), ...texts });
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // All of its processes have ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
