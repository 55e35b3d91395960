import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { openOutput } from "../files/output.js";
import type { renderCommand } from "./commands.js";
import { platformInput } from "./platform.js";

export async function run({ values, words }: Arguments<typeof renderCommand>): Promise<number> {
  const { chat = "", "reply-to": replyToId } = values;
  const { channel, text } = await platformInput(...words);
  if (replyToId !== undefined && chat === "" && channel.traits.replyNamesChat === true) {
    throw usageError(`a reply on ${channel.title} needs its chat: pass --chat as well`);
  }
  const answer = { text, ...(replyToId === undefined ? {} : { replyToId }) };
  const requests = channel.outgoing(answer, { kind: "direct", chat }).map(({ native }) => native);
  await (await openOutput("-")).write(`${JSON.stringify(requests, null, 2)}\n`);
  return 0;
}
