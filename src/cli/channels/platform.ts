import { CHANNEL_NAMES } from "../../channels/accounts.js";
import type { ChannelName } from "../../channels/types.js";
import { usageError } from "../arguments.js";
import { openInput } from "../input.js";

/** What `normalise` and `render` are about: a platform, and a file or standard input. */
export async function platformInput(
  command: string,
  [platform, file = "-", extra]: readonly string[],
): Promise<{ channel: ChannelName; text: string; name: string }> {
  if (platform === undefined) throw usageError(command, `name a platform: ${CHANNEL_NAMES.join(", ")}`);
  const channel = CHANNEL_NAMES.find((one) => one === platform);
  if (channel === undefined) {
    throw usageError(command, `unknown platform "${platform}"; use ${CHANNEL_NAMES.join(", ")}`);
  }
  if (extra !== undefined) throw usageError(command, `unexpected argument "${extra}"`);
  const input = await openInput(file);
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.open()) chunks.push(chunk);
  return { channel, text: Buffer.concat(chunks).toString("utf8"), name: input.name };
}
