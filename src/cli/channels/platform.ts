import { channelNames, isChannelName, loadChannel } from "../../channels/registry.js";
import type { Channel } from "../../channels/types.js";
import { usageError } from "../arguments.js";
import { openInput } from "../input.js";

/** What `normalise` and `render` are about: a platform, and a file or standard input. */
export async function platformInput(
  command: string,
  [platform, file = "-", extra]: readonly string[],
): Promise<{ channel: Channel; text: string; name: string }> {
  if (platform === undefined) throw usageError(command, `name a platform: ${channelNames.join(", ")}`);
  if (!isChannelName(platform)) {
    throw usageError(command, `unknown platform "${platform}"; use ${channelNames.join(", ")}`);
  }
  if (extra !== undefined) throw usageError(command, `unexpected argument "${extra}"`);
  const input = await openInput(file);
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.open()) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  return { channel: await loadChannel(platform), text, name: input.name };
}
