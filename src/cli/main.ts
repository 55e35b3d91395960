#!/usr/bin/env node
import { type Command, commands } from "./commands.js";
import { exitCodeOf, reportError } from "./errors.js";
import { tell } from "./tell.js";

/** Runs one command line and returns its exit code. Only the code of the command asked for is loaded. */
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
  if (command === undefined) {
    tell(`dragoman: there is no command "${name}"; \`dragoman --help\` lists them`);
    return 2;
  }
  const [sub, ...more] = rest;
  if (rest.includes("--help") || rest.includes("-h") || ("subcommands" in command && sub === undefined)) {
    const { helpText } = await import("./help.js");
    process.stdout.write(await helpText(commands, name, sub));
    return 0;
  }
  if (!("subcommands" in command)) return (await command.load()).run(rest);
  // `dragoman sessions --home DIR` lists, as `dragoman sessions list --home DIR` does.
  const isListing = sub?.startsWith("-") === true;
  const action = command.subcommands.find((candidate) => candidate.name === (isListing ? "list" : sub));
  if (action === undefined) {
    tell(`dragoman: there is no command "${name} ${sub}"; \`dragoman ${name} --help\` lists them`);
    return 2;
  }
  return (await action.load()).run(isListing ? rest : more);
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // The reader has seen enough, as in `dragoman … | head`.
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`dragoman: the output cannot be written: ${error.message}\n`);
    process.exit(2);
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  reportError(error);
  process.exitCode = exitCodeOf(error);
  // An input that still goes on must not keep the program alive.
  process.stderr.write("", () => process.exit());
}
