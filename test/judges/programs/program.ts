import type { JsonObject } from "../../../src/core/json/value.js";
import type { ServedApi } from "../../fakes/strict/provider.js";

/** Where a program is pointed at. */
export interface Connection {
  /** The gateway's address. */
  url: string;
  /** The gateway's token. */
  key: string;
  model: string;
  /** The API that the program is told to use. */
  api: ServedApi;
}

/** How a program is configured: what a user sets to do the same. */
export interface Settings {
  env?: Record<string, string>;
  /** Files in the user's home; two JSON files of one name are merged. */
  files?: Record<string, JsonObject | string>;
  args?: readonly string[];
}

/** A released coding agent that is run as it is. */
export interface Program {
  name: string;
  title: string;
  /** What a user types to start it. */
  command: string;
  /** The npm package whose newest version `--latest` looks up. */
  package: string;
  version: string;
  /** What npm installs (default: the package at this version). */
  spec?(version: string): string;
  /** The file that is run, in `node_modules`. */
  entry: string;
  /** Whether Node.js runs the entry, and which; without it the entry is a program. */
  node?: "any" | ">=22";
  /** The APIs that it can speak, the usual one first. */
  apis: readonly ServedApi[];
  /** Points it at the gateway: base URL, key and model. */
  connect(connection: Connection): Settings;
  /** Keeps it from asking questions and from calling other servers. */
  isolate: Settings;
  /** The arguments that run a prompt to its end and print the answer. */
  run(prompt: string, args: readonly string[]): readonly string[];
  sessions: ProgramSessions;
  /** Earlier versions that judge sessions too, with what differs in them. */
  earlier?: readonly Earlier[];
}

type Earlier = Pick<Program, "version"> & Partial<Pick<Program, "package" | "entry" | "node">>;

/** The earlier versions of a program, as programs. */
export function earlierVersions(program: Program): Program[] {
  return (program.earlier ?? []).map((differences) => ({ ...program, ...differences }));
}

/** How a program keeps sessions. */
export interface ProgramSessions {
  /** The arguments that continue a session with a prompt and print the answer. */
  resume(session: string, prompt: string, args: readonly string[], model: string): readonly string[];
  /** The model that continues sessions (default: the one that runs tasks). */
  model?: string;
  /** Whether it has compactions; a program that has none sends the whole history. */
  compacts: boolean;
  /** The files with its sessions, below the user's home. */
  files: RegExp;
  /** For sessions that are not in files of their own: the arguments that list them and print one, and the id in a list. */
  exported?: {
    list: readonly string[];
    idIn(list: string): string;
    print(session: string): readonly string[];
  };
}
