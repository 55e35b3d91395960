import type { Command } from "./commands.js";

/** The help of one command, or of the program when no command of that name exists; `sub` is a command of that command. */
export async function helpText(commands: readonly Command[], name?: string, sub?: string): Promise<string> {
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) return overview(commands);
  if (!("subcommands" in command)) return detail(command);
  return detail(command.subcommands.find((candidate) => candidate.name === sub) ?? command);
}

function overview(commands: readonly Command[]): string {
  return [
    "Dragoman, the message layer for AI agents: lossless or loud, never silent.",
    "",
    "Usage: dragoman COMMAND [OPTIONS]",
    "",
    ...listed(commands),
    "",
    "`dragoman COMMAND --help` explains one command; `dragoman --version` prints the version.",
    "",
  ].join("\n");
}

async function detail(command: Command): Promise<string> {
  const { usage, summary, details } = command;
  const own = "subcommands" in command ? [...listed(command.subcommands), ""] : [];
  const lines = typeof details === "function" ? await details() : details;
  return [`Usage: dragoman ${usage}`, "", summary, "", ...own, ...lines, ""].join("\n");
}

function listed(commands: readonly Command[]): string[] {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
}
