import { wrap } from "../markdown/word-wrap.js";
import { type Action, type Command, completed, type Option } from "./declaration.js";
import { globalOptions } from "./options.js";

const COLUMNS = 80;

/** The help of a command or of its subcommand `sub`; of the program if there is no such command. */
export async function helpText(commands: readonly Command[], name?: string, sub?: string): Promise<string> {
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) return overview(commands);
  if (!("subcommands" in command)) return actionHelp(await completed(command));
  const action = command.subcommands.find((candidate) => candidate.name === `${name} ${sub}`);
  if (action !== undefined) return actionHelp(await completed(action));
  return page(command, "COMMAND [OPTIONS]", [
    listed(command.subcommands),
    ...paragraphs([...(command.notes ?? []), `\`dragoman ${name} COMMAND --help\` explains one command.`]),
  ]);
}

function overview(commands: readonly Command[]): string {
  return joined([
    ["Dragoman, the message layer for AI agents: lossless or loud, never silent."],
    ["Usage: dragoman COMMAND [OPTIONS]"],
    listed(commands),
    ["`dragoman COMMAND --help` explains one command.", "`dragoman --version` prints the version."],
  ]);
}

function actionHelp(action: Action): string {
  const required = Object.entries(action.options).filter(([, option]) => option.required);
  const usage = [...action.words, ...required.map(([name, option]) => label(name, option)), "[OPTIONS]"];
  const options = Object.entries<Option>({ ...action.options, ...globalOptions });
  return page(action, usage.join(" "), [
    ["Options:", ...columns(options.map(([name, option]) => [shortAnd(name, option), described(option)]))],
    ...paragraphs(action.notes ?? []),
  ]);
}

/** Usage, summary, the blocks and the examples. */
function page({ name, summary, examples }: Command, usage: string, blocks: string[][]): string {
  return joined([
    [`Usage: dragoman ${name} ${usage}`],
    wrap(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, COLUMNS),
    ...blocks,
    ["Examples:", ...examples.map((example) => `  ${example}`)],
  ]);
}

function joined(blocks: readonly (readonly string[])[]): string {
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function paragraphs(texts: readonly string[]): string[][] {
  return texts.map((text) => wrap(text, COLUMNS));
}

function listed(commands: readonly Command[]): string[] {
  return columns(commands.map(({ name, summary }) => [name.replace(/^\w+ /, ""), summary]));
}

/** `--output OUT` */
function label(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function shortAnd(name: string, option: Option): string {
  return `${option.short === undefined ? "    " : `-${option.short}, `}${label(name, option)}`;
}

function described({ text, choices, default: standard }: Option): string {
  const values = choices === undefined ? "" : `: ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
  return `${text}${values}${standard === undefined ? "" : ` (default: ${standard})`}`;
}

/** Names with their descriptions next to them. */
function columns(rows: readonly (readonly [name: string, text: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, text]) =>
    wrap(text, COLUMNS - width - 4).map(
      (line, index) => `  ${(index === 0 ? name : "").padEnd(width)}  ${line}`,
    ),
  );
}
