import { commands } from "./commands.js";
import type { Command } from "./declaration.js";
import { exitCodeOf, reportError } from "./terminal/errors.js";

/** How a command line ended: its exit code, and whether an error stopped it. */
export interface Ended {
  code: number;
  failed: boolean;
}

/** Runs one command line and reports its error. Only the code of that command is loaded. */
export async function runCommandLine(args: readonly string[]): Promise<Ended> {
  // Usage errors point to the help of the running command.
  let running: string | undefined;
  try {
    return {
      code: await run(args, (name) => {
        running = name;
      }),
      failed: false,
    };
  } catch (error) {
    reportError(error, running, asksForJson(args));
    return { code: exitCodeOf(error), failed: true };
  }
}

/** A command whose options cannot be parsed still answers a program. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).includes("--json");
}

async function run([name, ...rest]: readonly string[], onCommand: (name: string) => void): Promise<number> {
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
  if (name === "complete") {
    const { printCandidates } = await import("./completion/complete.js");
    await printCandidates(commands, rest.slice(rest.indexOf("--") + 1));
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
  onCommand(name);
  if (!("subcommands" in command)) return command.run(rest);
  // `dragoman sessions --home DIR` lists, as `dragoman sessions list --home DIR` does.
  const isListing = sub === undefined || sub.startsWith("-");
  const full = `${name} ${isListing ? "list" : sub}`;
  onCommand(full);
  const action = command.subcommands.find((candidate) => candidate.name === full);
  if (action === undefined) return unknown(full, `${name} --help`, command.subcommands);
  return action.run(isListing ? rest : more);
}

async function unknown(typed: string, help: string, known: readonly Command[]): Promise<never> {
  const { suggest } = await import("./suggest.js");
  const { DragomanError } = await import("../core/error.js");
  const meant = suggest(
    typed,
    known.map(({ name }) => name),
  );
  const guess = meant === undefined ? "" : ` (did you mean "${meant}"?)`;
  throw new DragomanError("cli/usage", `unknown command "${typed}"${guess}`, {
    hint: `\`dragoman ${help}\` lists the commands`,
  });
}
