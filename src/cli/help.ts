import { wrap } from "../markdown/word-wrap.js";
import { type Action, type Command, completed, type Option } from "./declaration.js";
import { globalOptions } from "./options.js";
import { columnsOf } from "./terminal/columns.js";

/** Longer lines are hard to read. */
const WIDEST = 80;
/** Text is not wrapped at fewer columns. */
const NARROWEST = 20;

/** The help of a command or of its subcommand `sub`; of the program if there is no such command. */
export async function helpText(
  commands: readonly Command[],
  name?: string,
  sub?: string,
  columns = columnsOf(process.stdout),
): Promise<string> {
  const width = Math.min(columns ?? WIDEST, WIDEST);
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) return overview(commands, width);
  if (!("subcommands" in command)) return actionHelp(await completed(command), width);
  const action = command.subcommands.find((candidate) => candidate.name === `${name} ${sub}`);
  if (action !== undefined) return actionHelp(await completed(action), width);
  const notes = [...(command.notes ?? []), `\`dragoman ${name} COMMAND --help\` explains one command.`];
  return page(
    command,
    "COMMAND [OPTIONS]",
    [listed(command.subcommands, width), ...notes.map((text) => wrap(text, width))],
    width,
  );
}

function overview(commands: readonly Command[], width: number): string {
  return joined([
    wrap("Dragoman, the message layer for AI agents: lossless or loud, never silent.", width),
    ["Usage: dragoman COMMAND [OPTIONS]"],
    listed(commands, width),
    ["`dragoman COMMAND --help` explains one command.", "`dragoman --version` prints the version."],
  ]);
}

function actionHelp(action: Action, width: number): string {
  const required = Object.entries(action.options).filter(([, option]) => option.required);
  const usage = [...action.words, ...required.map(([name, option]) => label(name, option)), "[OPTIONS]"];
  const options = Object.entries<Option>({ ...action.options, ...globalOptions });
  const rows = options.map(([name, option]) => [shortAnd(name, option), described(option)] as const);
  const notes = (action.notes ?? []).map((text) => wrap(text, width));
  return page(action, usage.join(" "), [["Options:", ...columns(rows, width)], ...notes], width);
}

/** Usage, summary, the blocks and the examples. */
function page(
  { name, summary, examples }: Command,
  usage: string,
  blocks: string[][],
  width: number,
): string {
  return joined([
    [`Usage: dragoman ${name} ${usage}`],
    wrap(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, width),
    ...blocks,
    ["Examples:", ...examples.map((example) => `  ${example}`)],
  ]);
}

function joined(blocks: readonly (readonly string[])[]): string {
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function listed(commands: readonly Command[], width: number): string[] {
  return columns(
    commands.map(({ name, summary }) => [name.replace(/^\w+ /, ""), summary]),
    width,
  );
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
function columns(rows: readonly (readonly [name: string, text: string])[], width: number): string[] {
  const names = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, text]) =>
    wrap(text, Math.max(width - names - 4, NARROWEST)).map(
      (line, index) => `  ${(index === 0 ? name : "").padEnd(names)}  ${line}`,
    ),
  );
}
