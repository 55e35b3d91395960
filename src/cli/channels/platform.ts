import { CHANNEL_NAMES } from "../../channels/accounts.js";
import type { ChannelName } from "../../channels/types.js";
import { usageError } from "../arguments.js";
import { openInput } from "../input.js";

/** What `normalise` and `render` are about: a platform, and a file or standard input. */
export async function platformInput(
  platform: string,
  file = "-",
): Promise<{ channel: ChannelName; text: string; name: string }> {
  const channel = CHANNEL_NAMES.find((one) => one === platform);
  if (channel === undefined) {
    throw usageError(`unknown platform "${platform}"; use ${CHANNEL_NAMES.join(", ")}`);
  }
  const input = await openInput(file);
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.open()) chunks.push(chunk);
  return { channel, text: Buffer.concat(chunks).toString("utf8"), name: input.name };
}
