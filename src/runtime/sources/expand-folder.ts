import { homedir } from "node:os";
import { join, resolve } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A folder as programs and users write it: `~` is the user's home, and `${NAME:-folder}` is an environment variable or, if it
 * is not set, a folder, which may begin with another variable.
 *
 * @example
 * expandFolder("${CODEX_HOME:-~/.codex}/sessions", process.env);
 */
export function expandFolder(text: string, env: Environment, home = homedir()): string {
  const [, name = "", fallback = "", rest = ""] = /^\$\{(\w+):-(.*)\}([^}]*)$/.exec(text) ?? [];
  if (name === "") return resolve(text.replace(/^~(?=\/|$)/, () => home));
  const { [name]: set = "" } = env;
  return join(expandFolder(set === "" ? fallback : set, env, home), rest);
}
