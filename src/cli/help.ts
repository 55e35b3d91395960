import type { Command } from "./commands.js";

/** The help of one command, or of the program when no command of that name exists. */
export function helpText(commands: readonly Command[], name?: string): string {
  const command = commands.find((candidate) => candidate.name === name);
  return command === undefined ? overview(commands) : detail(command);
}

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "Dragoman, the message layer for AI agents: lossless or loud, never silent.",
    "",
    "Usage: dragoman COMMAND [OPTIONS]",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "`dragoman COMMAND --help` explains one command; `dragoman --version` prints the version.",
    "",
  ].join("\n");
}

function detail({ usage, summary, details }: Command): string {
  return [`Usage: dragoman ${usage}`, "", summary, "", ...details, ""].join("\n");
}
