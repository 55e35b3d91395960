import { readFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { DragomanError, wordsOf } from "../core/error.js";
import { withoutComments } from "../core/json/comments.js";
import { locatePointer } from "../core/json/locate.js";
import { jsonIn, parseJson } from "../core/json/parse.js";
import { joinPointer, parsePointer } from "../core/json/pointer.js";
import { guards } from "../core/validate.js";
import { fallbackIfMissing, systemCode } from "../log/files/disk-error.js";
import { makeFolder } from "../log/files/folder.js";
import { replaceFile } from "../log/files/shared-file.js";
import { Locks } from "../log/locks/lock.js";
import { isSecretSetting } from "./config-values.js";
import * as validators from "./generated/validators.js";
import type { Config } from "./schema.js";
import { problemIn } from "./server-problem.js";

type Environment = Readonly<Record<string, string | undefined>>;

const { is, mismatches } = guards(validators);

const HOW_TO_NAME = "write it as provider/model, such as demo/echo, or as a name under `aliases`";

/** The folder with sessions and configuration: `requested`, `DRAGOMAN_HOME`, or `~/.dragoman`. */
export function homeFolder(env: Environment, requested?: string): string {
  const { DRAGOMAN_HOME: set = "" } = env;
  return resolve(requested ?? (set === "" ? join(homedir(), ".dragoman") : set));
}

export function configPath(home: string): string {
  return join(home, "config.json");
}

/** A home's configuration, with overrides from the environment. A missing file is an empty configuration. */
export async function readConfig(home: string, env: Environment): Promise<Config> {
  const path = configPath(home);
  const config = await parseConfig(await readText(path), path);
  const { DRAGOMAN_MODEL: model = "" } = env;
  if (model === "") return config;
  if (isModelName(model, config)) return { ...config, model };
  throw new DragomanError("config/invalid", `DRAGOMAN_MODEL is "${model}", which is not a model name`, {
    hint: HOW_TO_NAME,
  });
}

/** `provider/model`, or an alias. */
export function isModelName(name: string, { aliases = {} }: Config): boolean {
  return /^[a-z0-9][a-z0-9-]*\/./.test(name) || Object.hasOwn(aliases, name);
}

function requireModelNames(config: Config, text: string, path: string): void {
  const named = [
    ["/model", config.model] as const,
    ...Object.entries(config.agents ?? {}).map(([id, { model }]) => [`/agents/${id}/model`, model] as const),
  ];
  for (const [at, name] of named) {
    if (name === undefined || isModelName(name, config)) continue;
    throw invalidAt(at, `"${name}" is not a model`, HOW_TO_NAME, { text, path });
  }
}

function requireServers({ mcpServers, agents = {} }: Config, text: string, path: string): void {
  const lists = [
    ["", mcpServers] as const,
    ...Object.entries(agents).map(([id, agent]) => [`/agents/${id}`, agent.mcpServers] as const),
  ];
  for (const [owner, servers = {}] of lists) {
    for (const [name, settings] of Object.entries(servers)) {
      const problem = settings === false ? undefined : problemIn(settings);
      if (problem === undefined) continue;
      throw invalidAt(`${owner}/mcpServers/${name}`, problem.message, problem.hint, { text, path });
    }
  }
}

/** What our own loop uses, and an agent that is a program has itself. */
const LOOP_SETTINGS = [
  "model",
  "systemPrompt",
  "tools",
  "agents",
  "sandbox",
  "maxTurns",
  "maxTokens",
  "thinking",
  "output",
] as const;

function requirePrograms({ agents = {} }: Config, text: string, path: string): void {
  for (const [id, agent] of Object.entries(agents)) {
    const unused = LOOP_SETTINGS.find((name) => agent.acp !== undefined && agent[name] !== undefined);
    if (unused === undefined) continue;
    const message = `the agent "${id}" is a program, so \`${unused}\` has no effect`;
    throw invalidAt(`/agents/${id}/${unused}`, message, "remove it, and use the program's own settings", {
      text,
      path,
    });
  }
}

async function requireModelLists(config: Config, text: string, path: string): Promise<void> {
  if (Object.values(config.aliases ?? {}).every((target) => typeof target === "string")) return;
  // Loaded only when needed: it knows all providers.
  const { findWrongMember } = await import("./model-lists.js");
  const wrong = findWrongMember(config);
  if (wrong !== undefined)
    throw invalidAt(wrong.at, wrong.message, wrong.hint ?? HOW_TO_NAME, { text, path });
}

function invalidAt(
  at: string,
  message: string,
  hint: string,
  { text, path }: { text: string; path: string },
): DragomanError {
  const { line, column } = locatePointer(text, at) ?? {};
  return new DragomanError("config/invalid", `${path}: ${message}`, {
    at,
    ...(line === undefined || column === undefined ? {} : { line, column }),
    hint,
  });
}

/**
 * Edits the text of a home's configuration file. The file stays as it is if it is invalid, would be invalid after the edit,
 * or `accept` rejects it.
 */
export async function changeConfig(
  home: string,
  edit: (text: string) => string,
  accept: (config: Config) => Promise<void> = async () => undefined,
): Promise<void> {
  const path = configPath(home);
  await replaceConfig(home, async (before) => {
    await parseConfig(before, path);
    const after = edit(before);
    await accept(await parseConfig(after, path));
    return after;
  });
}

/**
 * Replaces the text of a home's configuration file as a whole, which only its owner can read then. Repairs an invalid one;
 * the new text must be valid.
 */
export async function replaceConfig(home: string, edit: (text: string) => Promise<string>): Promise<void> {
  await makeFolder(home);
  const path = configPath(home);
  await new Locks(join(home, "locks")).withLock("config", async () => {
    const before = await readText(path);
    const after = await edit(before);
    if (after === before) return;
    await parseConfig(after, path);
    // The file may be a link to a configuration elsewhere.
    const target = await fallbackIfMissing(realpath(path), path);
    await replaceFile(target, after.endsWith("\n") ? after : `${after}\n`);
  });
}

async function readText(path: string): Promise<string> {
  try {
    // Reading a pipe would block forever.
    if (!(await stat(path)).isFile()) throw new Error("it is not a file");
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "{}";
    throw new DragomanError("config/invalid", `${path} cannot be read`, {
      hint: wordsOf(error),
      cause: error,
    });
  }
}

/** The text of a home's configuration file. A missing file is an empty configuration. */
export function readConfigText(home: string): Promise<string> {
  return readText(configPath(home));
}

/** Throws for the first problem, with its place in the file. Comments are allowed. */
async function parseConfig(written: string, path: string): Promise<Config> {
  const text = withoutComments(written);
  const value = parsed(text, path);
  const [first] = mismatched(value, text, path);
  if (first !== undefined || !is("Config", value)) throw first;
  requireModelNames(value, text, path);
  requireServers(value, text, path);
  requirePrograms(value, text, path);
  await requireModelLists(value, text, path);
  return value;
}

/** Every problem of a configuration's text that can be found, in the order of the schema. */
export async function findConfigProblems(written: string, path: string): Promise<DragomanError[]> {
  try {
    await parseConfig(written, path);
    return [];
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const text = withoutComments(written);
    const all = jsonIn(text) === undefined ? [] : mismatched(jsonIn(text), text, path);
    return all.length > 1 ? all : [error];
  }
}

function mismatched(value: unknown, text: string, path: string): DragomanError[] {
  return mismatches("Config", value).map(({ at, expected, found }, index, all) => {
    const [, unknown] = /^no property "(.+)"$/.exec(expected) ?? [];
    const where = unknown === undefined ? at : joinPointer(at, unknown);
    const place = locatePointer(text, where);
    const shown = isSecretSetting(parsePointer(at), found) ? "another value" : found;
    const problem =
      unknown === undefined ? `expected ${expected}, found ${shown}` : `there is no setting "${unknown}"`;
    const others = index === 0 && all.length > 1 ? ` (and ${all.length - 1} more)` : "";
    return new DragomanError("config/invalid", `${path}: ${problem}${others}`, {
      at: where,
      ...(place === undefined ? {} : { line: place.line, column: place.column }),
      hint: "see schemas/Config.json for all settings",
    });
  });
}

function parsed(text: string, path: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const { line, column } = error;
    throw new DragomanError("config/invalid", `${path} is not JSON: ${error.message}`, {
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      hint: error.hint ?? "fix it, or move it away to start with the defaults",
      cause: error,
    });
  }
}
