import { join, relative } from "node:path";
import { convertDry, convertStream, type StreamOptions } from "../../convert/convert.js";
import { load } from "../../convert/detect.js";
import { DragomanError } from "../../core/error.js";
import type { TranscriptSource } from "../import-transcript.js";
import { programs } from "../sources/programs.js";
import type { Destination, Stored, StoreOptions } from "./destination.js";
import { createFile } from "./new-file.js";
import { type MessageRules, newMessage, newSession, type SessionStart } from "./new-session.js";

/** Where the new session belongs. */
export interface Place extends StoreOptions {
  id: string;
  root: string;
}

/** A program that keeps each session in a file. */
export interface SessionFiles extends Omit<MessageRules, "adapt"> {
  /** Also the program's name among the sources. */
  dialect: string;
  /** The folder in which nothing but the program's sessions is written. */
  root(options: StoreOptions): string;
  /** The session's file below the root. */
  file(place: Place): string | Promise<string>;
  commands(id: string, path: string): Stored["commands"];
  /** The new session's id (default: the UUID). */
  id?(uuid: string): string;
  /** Loads the rule `adapt`, which is the dialect's. */
  loadAdapt?(): Promise<NonNullable<MessageRules["adapt"]>>;
}

/** Writes sessions as files, in the program's dialect. */
export function fileDestination(files: SessionFiles): Destination {
  return {
    title: programs[files.dialect]?.title ?? files.dialect,
    async store(source, options) {
      const id = files.id?.(options.uuid) ?? options.uuid;
      const place = { ...options, id, root: files.root(options) };
      const path = inside(place.root, await files.file(place));
      const conversion = await conversionTo(files, source, place);
      const messages = options.dryRun
        ? await convertDry(source.open, conversion)
        : await createFile(path, convertStream(source.open, conversion));
      for (const loss of source.missing?.() ?? []) options.onLoss(loss);
      return { session: id, path, messages, commands: files.commands(id, path) };
    },
  };
}

async function conversionTo(
  files: SessionFiles,
  source: TranscriptSource,
  { id, folder, now, onLoss }: Place,
): Promise<StreamOptions> {
  const { dialect } = files;
  const start: SessionStart = { id, folder, now, dialect, onLoss };
  const adapt = await files.loadAdapt?.();
  const rules = adapt === undefined ? files : { ...files, adapt };
  return {
    from: source.dialect,
    to: await load(dialect),
    onLoss,
    session: (found) => newSession(found, start),
    rewrite: (message) => newMessage(message, rules, start),
  };
}

/** File names contain parts of folder names, which strangers may have chosen. */
function inside(root: string, file: string): string {
  const path = join(root, file);
  const within = relative(root, path);
  if (within !== "" && !within.startsWith("..")) return path;
  throw new DragomanError("continue/outside", `"${path}" is not in "${root}"`, {
    hint: "choose another folder with --cwd",
  });
}
