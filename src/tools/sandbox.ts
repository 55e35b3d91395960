import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DragomanError, wordsOf } from "../core/error.js";

/** What commands may use besides the workspace. */
export interface SandboxOptions {
  /** Whether commands can use the network (default: false). */
  network?: boolean;
  /** Files and folders in hidden places that commands can read. */
  read?: readonly string[];
  /** Files and folders outside the workspace that commands can change. */
  write?: readonly string[];
  /** Folders to hide from commands, besides home folders and temporary files. */
  hide?: readonly string[];
}

/** Fixed paths: a program found by `PATH` could be a file in the workspace. */
const PROGRAMS = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];

/** Home folders, temporary files, and the sockets of services such as Docker, which give full access. */
const HIDDEN = ["/home", "/root", "/run", "/tmp", "/var/tmp"];

/** Name servers are often configured in a hidden place. */
const NAME_SERVERS = "/run/systemd/resolve";

const BASE = ["--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--ro-bind", "/", "/"];
const OWN_DEVICES = ["--dev", "/dev", "--proc", "/proc"];

const INSTALL =
  "install it, such as with `apt-get install bubblewrap`, or remove the agent's `sandbox` setting";
const ALLOW =
  "allow user namespaces, such as with `sysctl kernel.apparmor_restrict_unprivileged_userns=0`, or remove the agent's `sandbox` setting";

/**
 * The program and arguments that run a command in a sandbox (bubblewrap): the workspace is writable, the rest of the file
 * system is read-only, home folders and temporary files are hidden, and there is no network unless allowed.
 * Throws when this computer does not support that.
 */
export async function sandboxArguments(
  workspace: string,
  options: SandboxOptions,
  programs: readonly string[] = PROGRAMS,
): Promise<string[]> {
  const network = options.network === true ? ["--share-net"] : [];
  return [
    ...[await usableProgram(programs), ...BASE, ...network, ...OWN_DEVICES],
    ...[...mountsFor(workspace, options), "--chdir", workspace, "--"],
  ];
}

/** Why commands cannot run in a sandbox with these options; undefined when they can. */
export async function sandboxProblem(
  workspace: string,
  options: SandboxOptions,
): Promise<DragomanError | undefined> {
  try {
    await sandboxArguments(workspace, options);
    return undefined;
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw error;
  }
}

const usable = new Set<string>();

/** A program that has worked once is not tried again. */
async function usableProgram(programs: readonly string[]): Promise<string> {
  if (process.platform !== "linux") throw noSandbox("a sandbox for commands needs Linux", INSTALL);
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) {
    throw noSandbox("commands cannot run in a sandbox: bubblewrap is not installed", INSTALL);
  }
  if (usable.has(program)) return program;
  try {
    await promisify(execFile)(program, [...BASE, ...OWN_DEVICES, "--", "/bin/sh", "-c", ":"], { env: {} });
  } catch (error) {
    const [reason = ""] = /bwrap: .*/.exec(wordsOf(error)) ?? [];
    throw noSandbox(`commands cannot run in a sandbox: ${reason || wordsOf(error)}`, ALLOW, error);
  }
  usable.add(program);
  return program;
}

function noSandbox(message: string, hint: string, cause?: unknown): DragomanError {
  return new DragomanError("tools/no-sandbox", message, { hint, cause });
}

/** Outer folders come before inner ones, so that the innermost setting wins. */
function mountsFor(
  workspace: string,
  { network, read = [], write = [], hide = [] }: SandboxOptions,
): string[] {
  const mounts = new Map<string, "--tmpfs" | "--ro-bind" | "--bind">();
  for (const path of [...HIDDEN, homedir(), ...hide]) {
    if (path !== "/" && existsSync(path)) mounts.set(realpathSync(path), "--tmpfs");
  }
  const nameServers = network === true && existsSync(NAME_SERVERS) ? [NAME_SERVERS] : [];
  for (const path of [...nameServers, ...read]) mounts.set(existing(path), "--ro-bind");
  for (const path of write) mounts.set(existing(path), "--bind");
  mounts.set(workspace, "--bind");
  return [...mounts]
    .sort(([one], [other]) => one.split("/").length - other.split("/").length)
    .flatMap(([path, how]) => (how === "--tmpfs" ? [how, path] : [how, path, path]));
}

/** `~/notes` → `/home/ann/notes`, without links. */
function existing(path: string): string {
  try {
    return realpathSync(path.startsWith("~/") ? join(homedir(), path.slice(2)) : path);
  } catch (error) {
    throw noSandbox(
      `commands cannot run in a sandbox: "${path}" in its settings does not exist`,
      "correct `read` and `write` in the agent's `sandbox` setting",
      error,
    );
  }
}
