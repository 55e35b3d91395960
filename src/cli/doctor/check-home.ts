import { open, rm, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { newId } from "../../core/ids.js";
import { TokenStore } from "../../gateway/auth/token-store.js";
import { systemCode } from "../../log/files/disk-error.js";
import { makeFolder } from "../../log/files/folder.js";
import type { Store } from "../../log/store.js";
import { configPath } from "../../runtime/config.js";
import { openStore } from "../../runtime/sessions.js";
import { cellsAt } from "../../runtime/store-address.js";
import { type Finding, failed, ok, problem, warning } from "./finding.js";

const MINIMUM_NODE = 20;

export function checkNode(version: string): Finding {
  return Number.parseInt(version, 10) >= MINIMUM_NODE
    ? ok("node", `Node ${version}`)
    : problem("node", `Node ${version} is too old`, `install Node ${MINIMUM_NODE} or newer`);
}

/** Whether the home is writable, and private. */
export async function checkHome(home: string): Promise<{ usable: boolean; finding: Finding }> {
  try {
    await makeFolder(home);
    const probe = join(home, `.doctor-${newId()}`);
    await (await open(probe, "wx", 0o600)).close();
    await rm(probe);
  } catch (error) {
    const fix = `make "${home}" writable for this user, or set DRAGOMAN_HOME to another folder`;
    return { usable: false, finding: failed("home", error, fix) };
  }
  const mode = await looseMode(home, 0o077);
  const finding =
    mode === undefined
      ? ok("home", `${home} is writable by its owner only`)
      : problem("home", `${home} has mode ${mode}: other users can read it`, `chmod 700 "${home}"`);
  return { usable: true, finding };
}

/** Whether the store can be opened and used: the home's files, or the database that its configuration names. */
export async function checkStore(
  home: string,
  onNote: (text: string) => void,
): Promise<{ store?: Store; finding: Finding }> {
  try {
    const store = await openStore(home, process.env, onNote);
    await store.ready();
    const shared =
      store.where === home ? "the files in the home" : `${store.where}, which gateways can share`;
    return { store, finding: ok("store", shared) };
  } catch (error) {
    return { finding: failed("store", error, "check `store` in config.json and DRAGOMAN_STORE") };
  }
}

export async function checkTokens(home: string): Promise<Finding> {
  const tokens = new TokenStore(cellsAt(home));
  try {
    if (!(await tokens.exists())) {
      return warning(
        "tokens",
        "no tokens yet",
        "`dragoman serve` or `dragoman token create` creates the first",
      );
    }
    const mode = await looseMode(tokens.path, 0o077);
    if (mode !== undefined) {
      return problem("tokens", `${tokens.path} has mode ${mode}`, `chmod 600 "${tokens.path}"`);
    }
    const { length } = await tokens.list();
    if (length === 0) {
      return warning("tokens", "all tokens were revoked", "create one with `dragoman token create`");
    }
    const isFile = isAbsolute(tokens.path);
    return ok(
      "tokens",
      `${length} in ${isFile ? `${tokens.path}, readable by its owner only` : "the store"}`,
    );
  } catch (error) {
    return failed("tokens", error, `look at ${tokens.path}`);
  }
}

export async function checkConfigMode(home: string, holdsKeys: boolean): Promise<Finding[]> {
  const path = configPath(home);
  const mode = holdsKeys ? await looseMode(path, 0o077) : undefined;
  if (mode === undefined) return [];
  return [problem("configuration", `${path} contains keys and has mode ${mode}`, `chmod 600 "${path}"`)];
}

/** The mode of a file that grants one of these rights; undefined if it grants none or does not exist. */
export async function looseMode(path: string, rights: number): Promise<string | undefined> {
  if (process.platform === "win32") return undefined;
  try {
    const { mode } = await stat(path);
    return (mode & rights) === 0 ? undefined : (mode & 0o777).toString(8).padStart(4, "0");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
