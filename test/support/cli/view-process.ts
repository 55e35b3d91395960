import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { main } from "./run-cli.js";

export interface ViewProcess {
  /** What it printed, with the key. */
  link: string;
  url: string;
  key: string;
  child: ChildProcess;
  ended: Promise<number | null>;
}

/** `dragoman view`, once it has printed its link. It ends with the test at the latest. */
export async function startView(args: readonly string[], cwd?: string): Promise<ViewProcess> {
  const child = spawn(process.execPath, [main, "view", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code]) => code);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const link = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    void ended.then((code) => reject(new Error(`view ended with ${code}: ${stderr}`)));
  });
  const { origin, hash } = new URL(link);
  return { link, url: origin, key: hash.replace("#key=", ""), child, ended };
}
