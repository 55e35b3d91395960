import { usageError } from "./arguments.js";
import type { convertCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { openFile, openTranscript } from "./transcript.js";
import { transfer } from "./transfer.js";

export async function run({ values, words: [file] }: Arguments<typeof convertCommand>): Promise<number> {
  if (values.all === true && values.conversation !== undefined) {
    throw usageError("--all and --conversation exclude each other");
  }
  if (values.all === true) {
    const { convertAll } = await import("./convert-all.js");
    return convertAll(values, await openFile(inputPath(file), values.from));
  }
  return transfer(values, () => openTranscript(inputPath(file), values.from, values.conversation));
}

function inputPath(file: string | undefined): string {
  if (file === undefined && process.stdin.isTTY) throw usageError("missing argument IN");
  return file ?? "-";
}
