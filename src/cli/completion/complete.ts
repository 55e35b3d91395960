import { type Action, type Command, completed, type Option } from "../declaration.js";
import { globalOptions } from "../options.js";
import { type Candidate, FILES } from "./candidate.js";
import { candidatesFor } from "./values.js";

/**
 * Prints what the last word can become, one line each: the word, a tab and its meaning. `:file` stands for the files of the
 * folder.
 */
export async function printCandidates(commands: readonly Command[], words: readonly string[]): Promise<void> {
  const typed = words.at(-1) ?? "";
  const all = await candidatesIn(commands, words.slice(0, -1), typed);
  const lines = all
    .filter(({ value }) => value === FILES.value || value.startsWith(typed))
    .map(({ value, text }) => `${value}\t${text?.replace(/\s+/g, " ") ?? ""}`.trimEnd());
  process.stdout.write([...new Set(lines)].map((line) => `${line}\n`).join(""));
}

async function candidatesIn(
  commands: readonly Command[],
  before: readonly string[],
  typed: string,
): Promise<Candidate[]> {
  const [name, ...rest] = before;
  if (name === undefined) return [...commands.map(named), { value: "help" }, { value: "--version" }];
  if (name === "help") return before.length === 1 ? commands.map(named) : [];
  const command = commands.find((one) => one.name === name);
  if (command === undefined) return [];
  if (!("subcommands" in command)) return ofAction(command, rest, typed);
  const [sub, ...more] = rest;
  if (sub === undefined) return command.subcommands.map(named);
  const action = command.subcommands.find((one) => one.name === `${name} ${sub}`);
  return action === undefined ? [] : ofAction(action, more, typed);
}

function named({ name, summary }: Command): Candidate {
  return { value: name.replace(/^\w+ /, ""), text: summary };
}

async function ofAction(declared: Action, before: readonly string[], typed: string): Promise<Candidate[]> {
  const { options, words } = await completed(declared);
  const all: Record<string, Option> = { ...options, ...globalOptions };
  const [, attached] = /^--([\w-]+)=/.exec(typed) ?? [];
  if (attached !== undefined) {
    const values = await candidatesFor(attached, all[attached], before);
    return values.map((one) => (one === FILES ? one : { ...one, value: `--${attached}=${one.value}` }));
  }
  const open = optionOf(all, before.at(-1));
  if (open !== undefined && all[open]?.type === "string") return candidatesFor(open, all[open], before);
  if (typed.startsWith("-")) {
    return Object.entries(all).flatMap(([name, { text, short }]) => [
      { value: `--${name}`, text },
      ...(short === undefined ? [] : [{ value: `-${short}`, text }]),
    ]);
  }
  return candidatesFor(words[wordsIn(before, all)] ?? words.at(-1) ?? "", undefined, before);
}

/** The option that a word is: `--home`, `-o`. */
function optionOf(options: Readonly<Record<string, Option>>, word = ""): string | undefined {
  if (word.startsWith("--")) return Object.hasOwn(options, word.slice(2)) ? word.slice(2) : undefined;
  if (!/^-\w$/.test(word)) return undefined;
  return Object.keys(options).find((name) => options[name]?.short === word.slice(1));
}

/** How many words are neither options nor their values. */
function wordsIn(before: readonly string[], options: Readonly<Record<string, Option>>): number {
  return before.filter((word, index) => {
    const value = optionOf(options, before[index - 1]);
    const isValue = value !== undefined && options[value]?.type === "string";
    return !isValue && !word.startsWith("-");
  }).length;
}
