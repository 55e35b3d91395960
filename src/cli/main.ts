#!/usr/bin/env node
import { commands } from "./commands.js";
import type { Command } from "./declaration.js";
import { exitCodeOf, reportError } from "./terminal/errors.js";
import { reportLine } from "./terminal/report-line.js";

/** The running command; usage errors point to its help. */
let running: string | undefined;

/** Runs one command line and returns its exit code. Only the code of that command is loaded. */
async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const { helpText } = await import("./help.js");
    process.stdout.write(await helpText(commands, ...rest));
    return 0;
  }
  if (name === "--version" || name === "-V") {
    const { version } = await import("./version.js");
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  const command: Command | undefined = commands.find((candidate) => candidate.name === name);
  if (command === undefined) return unknown(name, "--help", commands);
  const [sub, ...more] = rest;
  const isBare = "subcommands" in command && sub === undefined && command.listsByDefault !== true;
  if (rest.includes("--help") || rest.includes("-h") || isBare) {
    const { helpText } = await import("./help.js");
    process.stdout.write(await helpText(commands, name, sub));
    return 0;
  }
  running = name;
  if (!("subcommands" in command)) return command.run(rest);
  // `dragoman sessions --home DIR` lists, as `dragoman sessions list --home DIR` does.
  const isListing = sub === undefined || sub.startsWith("-");
  running = `${name} ${isListing ? "list" : sub}`;
  const action = command.subcommands.find((candidate) => candidate.name === running);
  if (action === undefined) return unknown(running, `${name} --help`, command.subcommands);
  return action.run(isListing ? rest : more);
}

async function unknown(typed: string, help: string, known: readonly Command[]): Promise<number> {
  const { suggest } = await import("./suggest.js");
  const meant = suggest(
    typed,
    known.map(({ name }) => name),
  );
  const guess = meant === undefined ? "" : ` (did you mean "${meant}"?)`;
  reportLine(`dragoman: unknown command "${typed}"${guess}; \`dragoman ${help}\` lists the commands`);
  return 2;
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // The reader closed the pipe, as in `dragoman … | head`.
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`dragoman: cannot write the output: ${error.message}\n`);
    process.exit(2);
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  reportError(error, running);
  process.exitCode = exitCodeOf(error);
  // An input that is still open must not keep the program alive.
  process.stderr.write("", () => process.exit());
}
