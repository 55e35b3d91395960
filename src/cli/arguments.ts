import { parseArgs } from "node:util";
import { DragomanError } from "../core/error.js";
import type { Arguments, Declaration, Option } from "./declaration.js";
import { globalOptions } from "./options.js";
import { suggest } from "./suggest.js";

interface ParsedArguments {
  values: Record<string, unknown>;
  words: string[];
}

/**
 * Parses and checks what follows a command's name against its declaration.
 *
 * @example
 * const { values, words: [file] } = parseCommand(check, ["session.jsonl", "--json"]);
 */
export function parseCommand<D extends Declaration>(declaration: D, args: string[]): Arguments<D> {
  const given = parse(declaration, args);
  requireDeclared(declaration, given);
  return given;
}

/** Wrong usage; `main` adds a pointer to the help. */
export function usageError(message: string): DragomanError {
  return new DragomanError("cli/usage", message);
}

function parse({ options }: Declaration, args: string[]): ParsedArguments {
  const known = { ...options, ...globalOptions };
  try {
    const { values, positionals } = parseArgs({ args, options: known, allowPositionals: true });
    return { values, words: positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node goes on to explain how to escape a dash; only its first sentence matters.
    const [sentence = error.message] = error.message.split(/\.? (?=To specify)|\.?\n/);
    throw usageError(sentence.charAt(0).toLowerCase() + sentence.slice(1) + suggestion(sentence, known));
  }
}

function suggestion(sentence: string, options: object): string {
  const [, typed] = /^Unknown option '--([^']+)'/.exec(sentence) ?? [];
  const meant = typed === undefined ? undefined : suggest(typed, Object.keys(options));
  return meant === undefined ? "" : ` (did you mean --${meant}?)`;
}

function requireDeclared<D extends Declaration>(
  { words, options }: D,
  given: ParsedArguments,
): asserts given is Arguments<D> {
  const extra = given.words[words.length];
  if (extra !== undefined && words.at(-1)?.endsWith("…]") !== true) {
    throw usageError(`unexpected argument "${extra}"`);
  }
  const missing = words[given.words.length];
  if (missing !== undefined && !missing.startsWith("[")) throw usageError(`missing argument ${missing}`);
  for (const [name, option] of Object.entries(options)) {
    const written = given.values[name];
    if (written === undefined && option.required)
      throw usageError(`missing option --${name} ${option.value}`);
    if (typeof written === "string") given.values[name] = checkedValue(name, written, option);
  }
}

function checkedValue(name: string, written: string, { choices, count }: Option): string | number {
  const allowed = count ? "a number such as 20" : `one of ${choices?.join(", ")}`;
  const isAllowed = count ? /^[1-9]\d{0,8}$/.test(written) : (choices?.includes(written) ?? true);
  if (!isAllowed) throw usageError(`--${name} must be ${allowed}, not "${written}"`);
  return count ? Number(written) : written;
}
