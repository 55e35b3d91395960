import { typeOfBytes } from "../../core/message/media.js";
import type { AssistantContent, ImageContent, TextContent, UserContent } from "../../core/types.js";

type Block = UserContent | AssistantContent;

/** The API does not state an image's type, so it is detected from the bytes. */
export function readImage(data: string): ImageContent {
  return { type: "image", data, mimeType: typeOfBytes(data) ?? "application/octet-stream" };
}

export function isTypeSynthesised(block: Block): boolean {
  return block.type === "image" && block.data !== undefined && typeOfBytes(block.data) === undefined;
}

export function readText(text: string): TextContent[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** The base64 data of an image; undefined for an image URL, which the API does not fetch. */
export function imageData(block: ImageContent): string | undefined {
  if (block.data !== undefined) return block.data;
  return /^data:[^,]*;base64,(.*)$/s.exec(block.url)?.[1];
}

/** Joins several texts where the API accepts only one. */
export const SEPARATOR = "\n";

export function writeText(content: string | readonly Block[], separator = SEPARATOR): string {
  if (typeof content === "string") return content;
  return content
    .flatMap((block) => (block.type === "text" && block.text !== "" ? [block.text] : []))
    .join(separator);
}

export function writeImages(content: string | readonly Block[]): { images?: string[] } {
  if (typeof content === "string") return {};
  const images = content.flatMap((block) => (block.type === "image" ? (imageData(block) ?? []) : []));
  return images.length > 0 ? { images } : {};
}
