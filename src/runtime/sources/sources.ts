import { DragomanError } from "../../core/error.js";
import { registry } from "../../dialects/registry.js";
import { HOME_SOURCE } from "../../log/catalogue/types.js";
import type { SessionFile } from "../../log/types.js";
import type { Config } from "../schema.js";
import { type Environment, expandFolder } from "./expand-folder.js";
import { placesOf } from "./program-places.js";
import { type Program, programs } from "./programs.js";
import { openSource, type Source, type SourceOptions } from "./source.js";

type Setting = NonNullable<Config["sources"]>[string];

/** The session files of a program that `sources` does not describe further. */
const ANY_FILES = "**/{id}.jsonl";

/** The sources of a configuration: the known programs, and those that the user has added. */
export function sourcesOf(
  { sources = {} }: Config,
  env: Environment,
  onNote: SourceOptions["onNote"],
): Source[] {
  return namesIn(sources).flatMap((name) => {
    const options = optionsOf(name, sources[name] ?? {}, env);
    return options === undefined ? [] : [openSource({ ...options, onNote })];
  });
}

/** The names and titles of the sources that are not turned off. */
export function listSources({ sources = {} }: Config): { name: string; title: string }[] {
  return namesIn(sources)
    .filter((name) => sources[name] !== false)
    .map((name) => ({ name, title: programs[name]?.title ?? name }));
}

function namesIn(sources: NonNullable<Config["sources"]>): string[] {
  return [...new Set([...Object.keys(programs), ...Object.keys(sources)])];
}

/** Undefined for a source that is turned off. */
function optionsOf(
  name: string,
  setting: Setting,
  env: Environment,
): Omit<SourceOptions, "onNote"> | undefined {
  if (setting === false) return undefined;
  if (name === HOME_SOURCE)
    throw invalid(name, "it is the name of the home's own sessions", "use another name");
  const known = programs[name] ?? programWith(setting.dialect);
  const dialect = setting.dialect ?? known?.dialect;
  if (dialect !== undefined && !isDialect(dialect)) {
    throw invalid(name, `unknown dialect "${dialect}"`, "`dragoman dialects` lists them");
  }
  const own = programs[name];
  const places = own === undefined ? undefined : placesOf(own, env);
  const roots = setting.roots?.map((root) => expandFolder(root, env)) ?? places?.roots;
  if (roots === undefined) throw invalid(name, "it has no `roots`", "add the folders with its session files");
  const found = setting.roots === undefined ? places?.files : undefined;
  const files = setting.files ?? found ?? known?.files ?? ANY_FILES;
  return { name, ...(dialect === undefined ? {} : { dialect }), roots, files: [files].flat() };
}

function isDialect(name: string): boolean {
  return Object.hasOwn(registry, name);
}

/** The program that writes a dialect: its files are found in the same way in other folders. */
function programWith(dialect: string | undefined): Program | undefined {
  return Object.values(programs).find((program) => dialect !== undefined && program.dialect === dialect);
}

function invalid(name: string, problem: string, hint: string): DragomanError {
  return new DragomanError("config/invalid", `sources.${name}: ${problem}`, { at: `/sources/${name}`, hint });
}

/** A session file and its source. */
export interface SourceFile {
  source: Source;
  file: SessionFile;
}

/**
 * The files of sessions with this id or, if there is none, those whose ids begin with it. Only names are read, so sources whose
 * file names contain no ids are left out. If a source has several files of a session, the latest one counts.
 */
export async function filesNamed(sources: readonly Source[], name: string): Promise<SourceFile[]> {
  const beginning: SourceFile[] = [];
  for (const source of sources) {
    if (!source.namesIds) continue;
    const latest = new Map<string, SessionFile>();
    for await (const file of source.sessions()) {
      const other = latest.get(file.id);
      const isLatest = other === undefined || file.modified >= other.modified;
      if (file.id.startsWith(name) && isLatest) latest.set(file.id, file);
    }
    for (const file of latest.values()) beginning.push({ source, file });
  }
  const exact = beginning.filter(({ file }) => file.id === name);
  return exact.length > 0 ? exact : beginning;
}
