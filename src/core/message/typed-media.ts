import type { AudioContent, FileContent, ImageContent } from "../types.js";

export type MediaContent = ImageContent | AudioContent | FileContent;

/** Whether a block is an image, audio or a file. */
export function isMedia(block: { type: string }): block is MediaContent {
  return block.type === "image" || block.type === "audio" || block.type === "file";
}

/**
 * The media type of a block, for formats that require one. If it is unknown, `image/*` and `audio/*` state the kind, and
 * any other file is `application/octet-stream`.
 */
export function mediaTypeOf({ type, mimeType }: MediaContent): string {
  return mimeType ?? (type === "file" ? "application/octet-stream" : `${type}/*`);
}

/** The block for bytes with this media type. */
export function mediaWithData(mediaType: string, data: string): MediaContent {
  return { type: kindOf(mediaType), data, mimeType: mediaType };
}

/** The block for a URL with this media type; `image/*` and `audio/*` state only the kind. */
export function mediaWithUrl(mediaType: string | undefined, url: string): MediaContent {
  const type = kindOf(mediaType ?? "");
  return mediaType === undefined || mediaType === `${type}/*`
    ? { type, url }
    : { type, url, mimeType: mediaType };
}

/** Whether a block names its file only in relation to a page or folder that the format does not state. */
export function hasRelativeUrl({ url }: MediaContent): boolean {
  return url !== undefined && !URL.canParse(url);
}

/** The block with a file's name, if it has one. */
export function withName(block: MediaContent, name: unknown): MediaContent {
  return typeof name === "string" && name !== "" ? { ...block, name } : block;
}

function kindOf(mediaType: string): MediaContent["type"] {
  if (mediaType.startsWith("image/")) return "image";
  return mediaType.startsWith("audio/") ? "audio" : "file";
}
