import { withoutComments } from "../../core/json/comments.js";
import { removeIn, setIn } from "../../core/json/edit.js";
import { jsonIn, parseJson } from "../../core/json/parse.js";
import { changeConfig, homeFolder, readConfig, readConfigText } from "../../runtime/config.js";
import {
  isSecretSetting,
  type SettingPath,
  settingAt,
  settingPath,
  withoutSecrets,
} from "../../runtime/config-values.js";
import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { writeResult } from "../sessions/result.js";
import { reportLine } from "../terminal/report-line.js";
import { shownText } from "../terminal/shown-text.js";
import type { configGetCommand, configSetCommand, configUnsetCommand } from "./commands.js";
import { reportChange } from "./report-change.js";

export async function get({ values, words: [written] }: Arguments<typeof configGetCommand>): Promise<number> {
  const home = homeFolder(process.env, values.home);
  // Checks the whole file; the values are those of the file, not of the environment.
  await readConfig(home, {});
  const config: unknown = parseJson(withoutComments(await readConfigText(home)));
  const path = written === undefined ? [] : pathIn(written);
  const value = withoutSecrets(settingAt(config, path), path);
  if (value === undefined) {
    if (values.json === true) await writeResult(true, "", null);
    else reportLine(`${written} is not set`);
    return 1;
  }
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  await writeResult(values.json, shownText(text), value);
  return 0;
}

export async function set({
  values,
  words: [written, text],
}: Arguments<typeof configSetCommand>): Promise<number> {
  const home = homeFolder(process.env, values.home);
  const path = pathIn(written);
  requireNoSecret(path, text);
  const value = values.text === true ? text : (jsonIn(text) ?? text);
  await changeConfig(home, (before) => {
    requireMembers(before, path);
    return setIn(before, path, value);
  });
  await writeResult(values.json, "", { path: written, value: withoutSecrets(value, path) });
  if (values.json === true) return 0;
  reportLine(`${written} is set`);
  await reportChange(home);
  return 0;
}

export async function unset({
  values,
  words: [written],
}: Arguments<typeof configUnsetCommand>): Promise<number> {
  const home = homeFolder(process.env, values.home);
  const path = pathIn(written);
  let removed = false;
  await changeConfig(home, (before) => {
    requireMembers(before, path);
    const after = removeIn(before, path);
    removed = after !== before;
    return after;
  });
  await writeResult(values.json, "", { path: written, removed });
  if (values.json === true) return 0;
  reportLine(removed ? `${written} is removed` : `${written} was not set`);
  if (removed) await reportChange(home);
  return 0;
}

function pathIn(written: string): SettingPath {
  const path = settingPath(written);
  if (path !== undefined) return path;
  throw usageError(
    `PATH must be a setting such as agents.main.model or /agents/main/model, not "${written}"`,
  );
}

/** A secret on a command line is in the shell's history and visible to other programs. */
function requireNoSecret(path: SettingPath, value: string): void {
  if (!isSecretSetting(path, value)) return;
  const [group, name] = path;
  const instead =
    group === "providers" && path.at(-1) === "apiKey"
      ? `\`dragoman keys set ${name}\``
      : group === "channels"
        ? `\`dragoman channels add ${name}\``
        : "`dragoman config edit`";
  throw usageError(`${path.join(".")} can be a secret, which a command line would reveal; use ${instead}`);
}

/** Members of objects can be set, elements of lists cannot. */
function requireMembers(text: string, path: SettingPath): void {
  const config: unknown = parseJson(withoutComments(text));
  const list = path.findIndex((_, index) => Array.isArray(settingAt(config, path.slice(0, index))));
  if (list === -1) return;
  throw usageError(
    `${path.slice(0, list).join(".")} is a list; set all of it, or use \`dragoman config edit\``,
  );
}
