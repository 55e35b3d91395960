import { usageError } from "./arguments.js";
import type { convertCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { openTranscript } from "./transcript.js";
import { transfer } from "./transfer.js";

export async function run({ values, words: [file] }: Arguments<typeof convertCommand>): Promise<number> {
  return transfer(values, () => {
    if (file === undefined && process.stdin.isTTY) throw usageError("missing argument IN");
    return openTranscript(file ?? "-", values.from);
  });
}
