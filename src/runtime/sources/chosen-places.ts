import { readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isObject, isString } from "../../core/json/value.js";
import { type Environment, expandFolder } from "./expand-folder.js";

/** Folders, and the session files below them. */
export interface Places {
  roots: string[];
  files: string[];
}

/** opencode's folder. */
export const OPENCODE_DATA = `\${XDG_DATA_HOME:-~/.local/share}/opencode`;

/** The database that `OPENCODE_DB` names: a path, or a file in opencode's folder. */
export function opencodeDatabase(env: Environment, userHome: string): Partial<Places> {
  const { OPENCODE_DB: path = "" } = env;
  if (path === "" || path === ":memory:") return {};
  const whole = resolve(expandFolder(OPENCODE_DATA, env, userHome), path);
  return { roots: [dirname(whole)], files: [`${basename(whole)}/{id}`] };
}

/** The folder in Qwen Code's setting `advanced.runtimeOutputDir`, unless `QWEN_RUNTIME_DIR` replaces it. */
export function qwenFolder(env: Environment, userHome: string): Partial<Places> {
  if ((env["QWEN_RUNTIME_DIR"] ?? "") !== "") return {};
  const folder = settingIn(join(expandFolder(`\${QWEN_HOME:-~/.qwen}`, env, userHome), "settings.json"));
  return folder === undefined ? {} : { roots: ["projects", "tmp"].map((name) => join(folder, name)) };
}

/** Undefined without settings, and if they are not plain JSON. */
function settingIn(path: string): string | undefined {
  let settings: unknown;
  try {
    settings = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
  const advanced = isObject(settings) ? settings["advanced"] : undefined;
  const folder = isObject(advanced) ? advanced["runtimeOutputDir"] : undefined;
  return isString(folder) && folder !== "" ? folder : undefined;
}
