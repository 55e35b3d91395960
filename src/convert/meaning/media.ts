import { isBase64, typeOfBytes } from "../../core/message/media.js";
import type { Block } from "./blocks.js";
import { finding } from "./catalogue.js";
import type { Found } from "./rule.js";

export type Media = Extract<Block, { type: "image" | "audio" | "file" }>;

export function* mediaFindings(block: Media, path: readonly (string | number)[]): Generator<Found> {
  if (block.data === undefined) return;
  if (!isBase64(block.data)) {
    const text = block.data === "" ? `the ${block.type} has no bytes` : "the data is not base64";
    yield { path: [...path, "data"], ...finding("content/bad-base64", text) };
    return;
  }
  const type = typeOfBytes(block.data);
  if (type !== undefined && type !== block.mimeType.toLowerCase()) {
    const text = `the mime type is ${block.mimeType}, but the bytes are ${type}`;
    yield { path: [...path, "mimeType"], ...finding("content/mime-mismatch", text) };
  }
}
