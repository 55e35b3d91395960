import { usageError } from "./arguments.js";
import type { convertCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { openTranscript } from "./transcript.js";
import { transfer } from "./transfer.js";

/** The target that stands for every dialect. */
const ALL = "all";

export async function run({ values, words: [file] }: Arguments<typeof convertCommand>): Promise<number> {
  const open = () => {
    if (file === undefined && process.stdin.isTTY) throw usageError("missing argument IN");
    return openTranscript(file ?? "-", values.from);
  };
  const isDry = values["dry-run"] === true;
  if (values.to !== ALL) {
    if (values.json === true) throw usageError("--json needs --to all --dry-run");
    return transfer(values, open);
  }
  if (!isDry) throw usageError("--to all needs --dry-run: it compares the targets and writes none");
  const { compareTargets } = await import("./compare-targets.js");
  return compareTargets(await open(), values);
}
