import type { ReplyPayload } from "../core/types.js";
import { reasonOf } from "./network-failure.js";
import { type ChannelOptions, type Media, SendError } from "./types.js";

/** The files of an answer, each once. */
export function mediaUrlsOf({ mediaUrl, mediaUrls = [] }: ReplyPayload): string[] {
  return [...new Set([...(mediaUrl === undefined ? [] : [mediaUrl]), ...mediaUrls])];
}

/** A file of our own that is to be sent. That it is not there, or too large, will not change. */
export async function openMedia(
  { media }: Pick<ChannelOptions<unknown>, "media">,
  url: string,
  mostBytes: number,
): Promise<Media> {
  try {
    return await media(url, mostBytes);
  } catch (error) {
    throw new SendError("refused", `the file cannot be sent: ${reasonOf(error)}`, { cause: error });
  }
}
