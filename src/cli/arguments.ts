import { type ParseArgsConfig, parseArgs } from "node:util";
import { DragomanError } from "../core/error.js";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Every command understands these. */
const shared = { "no-color": { type: "boolean" } } as const;

interface Config<T extends Options> {
  args: string[];
  options: T & typeof shared;
  allowPositionals: true;
}

interface Words<T extends Options> {
  values: ReturnType<typeof parseArgs<Config<T>>>["values"];
  words: string[];
}

interface Arguments<T extends Options> extends Pick<Words<T>, "values"> {
  file: string | undefined;
}

/**
 * What follows the name of a command: its options, and at most one file, or whatever else it is about.
 *
 * @example
 * const { values, file } = parseArguments("detect", args, { json: { type: "boolean" } });
 */
export function parseArguments<T extends Options>(
  command: string,
  args: string[],
  options: T,
  subject = "file",
): Arguments<T> {
  const { values, words } = parseWords(command, args, options);
  const [file, extra] = words;
  if (extra !== undefined) {
    throw usageError(command, `one ${subject} at a time, please: "${extra}" is too much`);
  }
  return { values, file };
}

/** The same for a command that takes any number of words. */
export function parseWords<T extends Options>(command: string, args: string[], options: T): Words<T> {
  const config: Config<T> = { args, options: { ...options, ...shared }, allowPositionals: true };
  const { values, positionals } = strictly(command, () => parseArgs(config));
  return { values, words: positionals };
}

/** Wrong usage, with the way to the right one. */
export function usageError(command: string, message: string): DragomanError {
  return new DragomanError("cli/usage", message, { hint: `see \`dragoman ${command} --help\`` });
}

function strictly<T>(command: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node explains at length how to escape a dash; its first sentence says what is wrong.
    const [sentence = error.message] = error.message.split(/\.? (?=To specify)|\.?\n/);
    throw usageError(command, sentence.charAt(0).toLowerCase() + sentence.slice(1));
  }
}
