import { text } from "node:stream/consumers";
import { channelNames, isChannelName, loadChannel } from "../../channels/registry.js";
import type { Channel } from "../../channels/types.js";
import { usageError } from "../arguments.js";
import { openInput } from "../files/input.js";

/** The arguments of `normalise` and `render`: a platform, and a file or standard input. */
export async function platformInput(
  platform: string,
  file = "-",
): Promise<{ channel: Channel; text: string; name: string }> {
  if (!isChannelName(platform)) {
    throw usageError(`unknown platform "${platform}"; use ${channelNames.join(", ")}`);
  }
  const input = await openInput(file);
  return { channel: await loadChannel(platform), text: await text(input.open()), name: input.name };
}
