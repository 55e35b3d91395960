import { addressOf, readDataUrl } from "../../core/message/media.js";
import type { ImageContent, UserContent } from "../../core/types.js";
import type { WirePart } from "./wire.js";

/** Text as a string, and text with images as parts. Undefined if nothing is left. */
export function writeContent(content: string | readonly UserContent[]): string | WirePart[] | undefined {
  if (typeof content === "string") return content === "" ? undefined : content;
  const parts = content.flatMap(writePart);
  const [first] = parts;
  if (first === undefined) return undefined;
  return parts.length === 1 && first.type === "text" ? first.text : parts;
}

function writePart(block: UserContent): WirePart[] {
  if (block.type === "text") return block.text === "" ? [] : [{ type: "text", text: block.text }];
  if (block.type !== "image" || !isTrainable(block)) return [];
  const detail = block.detail === undefined ? {} : { detail: block.detail };
  return [{ type: "image_url", image_url: { url: addressOf(block), ...detail } }];
}

const IMAGE_TYPES: readonly string[] = ["image/jpeg", "image/png", "image/webp"];

function isTrainable(image: ImageContent): boolean {
  if (image.data === undefined) return /^https?:\/\//.test(image.url);
  return IMAGE_TYPES.includes(image.mimeType);
}

export function readContent(content: string | readonly WirePart[]): string | UserContent[] {
  return typeof content === "string" ? content : content.map(readPart);
}

function readPart(part: WirePart): UserContent {
  if (part.type === "text") return { type: "text", text: part.text };
  const { url, detail } = part.image_url;
  const bytes = readDataUrl(url) ?? { url };
  return { type: "image", ...bytes, ...(detail === undefined ? {} : { detail }) };
}

/** The texts of blocks as one text. */
export function joinTexts(content: string | readonly { type: string; text?: string }[]): string {
  if (typeof content === "string") return content;
  return content.flatMap(({ type, text }) => (type === "text" && text ? [text] : [])).join("\n\n");
}
