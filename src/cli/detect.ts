import { holdsConversations } from "../convert/convert.js";
import { detect, detectOne, isTie, load } from "../convert/detect.js";
import type { detectCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { openInput } from "./files/input.js";
import { openOutput } from "./files/output.js";
import { reportLine } from "./terminal/report-line.js";
import { percent, table } from "./terminal/table.js";
import { sampleInput } from "./transcript.js";

export async function run({ values, words: [file] }: Arguments<typeof detectCommand>): Promise<number> {
  const { sample, input } = await sampleInput(await openInput(file));
  input.close();
  const found = await detect(sample);
  const output = await openOutput("-");
  if (values.json === true) await output.write(`${JSON.stringify(found)}\n`);
  // Throws the error that explains why nothing matched.
  if (found.length === 0) await detectOne(sample);
  if (values.json !== true) {
    const rows = found.map(({ dialect, confidence }) => [percent(confidence), dialect]);
    await output.write(`${table(rows).join("\n")}\n`);
  }
  const [first, second] = found;
  if (first !== undefined && holdsConversations(await load(first.dialect)))
    reportLine(`a ${first.dialect} file can hold several conversations; \`dragoman convert\` lists them`);
  if (first !== undefined && isTie(first, second))
    reportLine(`the input could be ${first.dialect} or ${second.dialect}; pass --from to the other commands`);
  return 0;
}
