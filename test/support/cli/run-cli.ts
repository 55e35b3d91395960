import { type SpawnOptionsWithoutStdio, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, beforeEach } from "vitest";
import { temporaryFolder } from "../temporary-folder.js";
import { environment, isFree, runInProcess } from "./in-process.js";

/** The built command line, as it is published. */
export const main = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export function requireBuild(): void {
  if (!existsSync(main)) throw new Error("dist is missing: run `npm run build` first");
}

/** An empty folder for every test of a file, and the program run in it. */
export function workspace() {
  let folder = "";
  const path = (name: string) => join(folder, name);
  beforeAll(requireBuild);
  beforeEach(() => {
    folder = temporaryFolder();
  });
  return {
    path,
    put: (name: string, text: string) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
    },
    get: (name: string) => readFileSync(path(name), "utf8"),
    files: () => readdirSync(folder).sort(),
    /**
     * Runs the command line in the process of the tests, which takes a tenth of the time. A command that is started while another
     * one runs gets a process of its own.
     */
    dragoman: (args: string[], input: string | Uint8Array = "", env: Record<string, string> = {}) => {
      const invocation = { cwd: folder, env: { ...environment(), ...env }, input };
      return isFree() ? runInProcess(args, invocation) : run(process.execPath, [main, ...args], invocation);
    },
    /** Runs the command line in a process of its own: for its end, its standard streams and what it leaves behind. */
    spawned: (
      args: string[],
      input: string | Uint8Array = "",
      env: Record<string, string> = {},
    ): Promise<Finished> =>
      run(process.execPath, [main, ...args], { cwd: folder, env: { ...environment(), ...env }, input }),
    shell: (script: string, ...args: string[]): Promise<Finished> =>
      run("sh", ["-c", script, process.execPath, main, ...args], { cwd: folder }),
  };
}

/** Runs a program to its end; `input` is its standard input. */
export function run(
  program: string,
  args: readonly string[],
  { input = "", ...options }: SpawnOptionsWithoutStdio & { input?: string | Uint8Array } = {},
): Promise<Finished> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, options);
    const finished: Finished = { code: null, stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      finished.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      finished.stderr += text;
    });
    child.on("error", fail);
    child.on("close", (code) => done({ ...finished, code }));
    // A program that refuses its arguments does not wait for its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
