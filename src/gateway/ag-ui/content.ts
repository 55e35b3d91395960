import type { JsonObject } from "../../core/json/value.js";
import { isMedia, type MediaContent, mediaTypeOf } from "../../core/message/typed-media.js";
import type { UserMessage } from "../../core/types.js";

/** A user message's content, as a client of the protocol writes it. Blocks that only other dialects know are left out. */
export function contentOf({ content }: UserMessage): string | JsonObject[] {
  if (typeof content === "string") return content;
  return content.flatMap((block): JsonObject[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }];
    return isMedia(block) ? [mediaPart(block)] : [];
  });
}

function mediaPart(block: MediaContent): JsonObject {
  const { type, data, url } = block;
  const mimeType = mediaTypeOf(block);
  const source =
    data === undefined ? { type: "url", value: url, mimeType } : { type: "data", value: data, mimeType };
  return { type: type === "file" ? "document" : type, source };
}
