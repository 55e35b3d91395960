import { parseJson } from "../../core/json/parse.js";
import type { Arguments } from "../declaration.js";
import { openOutput } from "../files/output.js";
import { reportLine } from "../terminal/report-line.js";
import type { normaliseCommand } from "./commands.js";
import { platformInput } from "./platform.js";

export async function run({ values, words }: Arguments<typeof normaliseCommand>): Promise<number> {
  const { channel, text, name } = await platformInput(...words);
  const { bot = "" } = values;
  const read = channel.normalise(parseJson(text), { id: bot });
  if ("why" in read) {
    reportLine(`${name} is not a message: ${read.why}`);
    return 1;
  }
  await (await openOutput("-")).write(`${JSON.stringify(read.message, null, 2)}\n`);
  return 0;
}
