import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A server in its own process, so that it can be measured apart from its clients. */
export interface ServerProcess {
  process: ChildProcess;
  url: string;
  token: string;
}

/** Starts a program that prints its address as one line of JSON, as `dragoman serve --json` does. */
export async function startServer(args: readonly string[], cwd = root): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { url, token } = JSON.parse(String(line));
  return { process: child, url, token };
}

/** Starts `dragoman serve` of a version with this configuration. */
export async function startGateway(
  home: string,
  config: object,
  { args = [], cwd = root }: { args?: readonly string[]; cwd?: string } = {},
): Promise<ServerProcess> {
  await writeFile(join(home, "config.json"), JSON.stringify(config));
  return startServer(["dist/cli/main.js", "serve", "--port", "0", "--json", "--home", home, ...args], cwd);
}

export async function stopServers(servers: readonly ServerProcess[]): Promise<void> {
  for (const { process } of servers) {
    const ended = once(process, "close");
    process.kill();
    await ended;
  }
}
