import { parseArguments, usageError } from "./arguments.js";
import { openTranscript } from "./transcript.js";
import { transfer, transferOptions } from "./transfer.js";

export async function run(args: string[]): Promise<number> {
  const { values, file } = parseArguments("convert", args, {
    ...transferOptions,
    from: { type: "string" },
    leaf: { type: "string" },
  });
  return transfer("convert", values, () => {
    if (file === undefined && process.stdin.isTTY) {
      throw usageError("convert", "the file to convert is missing");
    }
    return openTranscript(file ?? "-", values.from);
  });
}
