import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { main } from "./run-cli.js";

export interface ServeProcess {
  url: string;
  token: string;
  /** The lines it printed after the first. */
  lines: string[];
  child: ChildProcess;
  /** Fulfilled when its log has these words. */
  untilLogged(words: string): Promise<void>;
  /** How it ended. */
  ended: Promise<{ code: number | null; stderr: string }>;
}

/** `dragoman serve --json` on a free port, once it answers. It ends with the test at the latest. */
export async function startServe(
  home: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<ServeProcess> {
  return launchServe(home, args, env, onTestFinished);
}

/** The same, for those who say themselves when it has to be ended. */
export async function launchServe(
  home: string,
  args: readonly string[],
  env: Record<string, string>,
  onOver: (end: () => Promise<void>) => void,
): Promise<ServeProcess> {
  const child = spawn(process.execPath, [main, "serve", "--json", "--port", "0", "--home", home, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code]) => ({ code, stderr }));
  onOver(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  const first = await new Promise<string>((resolve, reject) => {
    reader.once("line", (line) => {
      reader.on("line", (next) => lines.push(next));
      resolve(line);
    });
    void ended.then(({ code }) => reject(new Error(`serve ended with ${code}: ${stderr}`)));
  });
  const { url, token }: { url: string; token: string } = JSON.parse(first);
  const untilLogged = (words: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (stderr.includes(words)) resolve();
      };
      child.stderr.on("data", look);
      look();
    });
  return { url, token, lines, child, untilLogged, ended };
}
