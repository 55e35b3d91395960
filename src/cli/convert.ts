import { usageError } from "./arguments.js";
import type { convertCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { openNamed } from "./named-transcript.js";
import { openFile } from "./transcript.js";
import { transfer } from "./transfer.js";

/** The target that stands for every dialect. */
const EVERY = "all";

export async function run({ values, words: [file] }: Arguments<typeof convertCommand>): Promise<number> {
  const { all = false, "dry-run": isDry = false, json = false, conversation } = values;
  if (all && conversation !== undefined) throw usageError("--all and --conversation exclude each other");
  if (all && isDry) throw usageError("--all and --dry-run exclude each other");
  if (json && !isDry && (values.output ?? "-") === "-") {
    throw usageError("--json needs --dry-run or -o OUT: standard output is the transcript otherwise");
  }
  if (json && all) throw usageError("--all and --json exclude each other");
  if (values.to === EVERY && !isDry) {
    throw usageError("--to all needs --dry-run: it compares the targets and writes none");
  }
  if (all) {
    const { convertAll } = await import("./convert-all.js");
    return convertAll(values, await openFile(inputPath(file), values.from));
  }
  const open = () => openNamed(inputPath(file), values);
  if (values.to !== EVERY) return transfer(values, open);
  const { compareTargets } = await import("./compare-targets.js");
  return compareTargets(await open(), values);
}

function inputPath(file: string | undefined): string {
  if (file === undefined && process.stdin.isTTY) throw usageError("missing argument IN");
  return file ?? "-";
}
