import type { ReplyPayload } from "../core/types.js";
import { reasonOf } from "./network-failure.js";
import { type ChannelOptions, type Media, SendError } from "./types.js";

/** An answer's files, without duplicates. */
export function mediaUrlsOf({ mediaUrl, mediaUrls = [] }: ReplyPayload): string[] {
  return [...new Set([...(mediaUrl === undefined ? [] : [mediaUrl]), ...mediaUrls])];
}

/** Opens one of our files for sending. Failures are final: retrying does not bring a missing or too large file. */
export async function openMedia(
  { media }: Pick<ChannelOptions<unknown>, "media">,
  url: string,
  mostBytes: number,
): Promise<Media> {
  try {
    return await media(url, mostBytes);
  } catch (error) {
    throw new SendError("refused", `could not send the file: ${reasonOf(error)}`, { cause: error });
  }
}
