import { parseWords, usageError } from "../arguments.js";
import { openOutput } from "../output.js";
import { platformInput } from "./platform.js";

const COMMAND = "channels render";

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseWords(COMMAND, args, {
    chat: { type: "string" },
    "reply-to": { type: "string" },
  });
  const { chat = "", "reply-to": replyToId } = values;
  const { channel, text } = await platformInput(COMMAND, words);
  if (replyToId !== undefined && chat === "" && channel.traits.replyNamesChat === true) {
    throw usageError(COMMAND, `a reply on ${channel.title} names its chat: give --chat, too`);
  }
  const answer = { text, ...(replyToId === undefined ? {} : { replyToId }) };
  const requests = channel.outgoing(answer, { kind: "direct", chat }).map(({ native }) => native);
  await (await openOutput("-")).write(`${JSON.stringify(requests, null, 2)}\n`);
  return 0;
}
