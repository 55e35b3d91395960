import { parseJson } from "../../core/json/parse.js";
import { parseWords } from "../arguments.js";
import { openOutput } from "../output.js";
import { tell } from "../tell.js";
import { platformInput } from "./platform.js";

const COMMAND = "channels normalise";

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseWords(COMMAND, args, { bot: { type: "string" } });
  const { channel, text, name } = await platformInput(COMMAND, words);
  const { bot = "" } = values;
  const read = channel.normalise(parseJson(text), { id: bot });
  if ("why" in read) {
    tell(`${name} is not a message: ${read.why}`);
    return 1;
  }
  await (await openOutput("-")).write(`${JSON.stringify(read.message, null, 2)}\n`);
  return 0;
}
