import { isBase64, typeOfBytes } from "../../core/media.js";
import type { AudioContent, FileContent, ImageContent, TextContent } from "../../core/types.js";
import type { Report } from "./entry.js";
import type { Target } from "./target.js";

const UNSEEN = "[image: this model cannot see images]";

/** Whether a block stands for an image that the model cannot see: one is enough for a run of them. */
export function isUnseen(block: { type: string; text?: string } | undefined): boolean {
  return block?.type === "text" && block.text === UNSEEN;
}

/**
 * An image as the API takes it. A wrong type is corrected. What the API refuses is replaced by a text: a picture that was
 * sent once is in every later request, and would break each of them.
 */
export function fitImage(
  image: ImageContent,
  { images, rules }: Target,
  place: string,
  report: Report,
): ImageContent | TextContent {
  if (!images) {
    report({ at: place, what: "an image", why: "the model cannot see images", severity: "approximated" });
    return { type: "text", text: UNSEEN };
  }
  const { detail, ...plain } = image;
  if (detail !== undefined && !rules.imageDetail) {
    const why = "this API has no place for it";
    report({ at: `${place}/detail`, what: `the image detail "${detail}"`, why, severity: "dropped" });
    return fitBytes(plain, rules.imageTypes, place, report);
  }
  return fitBytes(image, rules.imageTypes, place, report);
}

function fitBytes(
  image: ImageContent,
  types: readonly string[],
  place: string,
  report: Report,
): ImageContent | TextContent {
  if (image.data === undefined) return image;
  if (!isBase64(image.data)) return replaced(image, "its data is not base64", place, report);
  const declared = image.mimeType.toLowerCase();
  const type = typeOfBytes(image.data) ?? (declared === "image/jpg" ? "image/jpeg" : declared);
  if (!types.includes(type)) {
    return replaced(image, `this API takes ${types.join(", ")}, but it is ${type}`, place, report);
  }
  if (type === image.mimeType) return image;
  report({
    at: `${place}/mimeType`,
    what: `the mime type "${image.mimeType}"`,
    why: `the bytes are ${type}, which is sent instead`,
    severity: "approximated",
  });
  return { ...image, mimeType: type };
}

/** A sound or a file whose bytes can be read; else a text in its place. */
export function fitOther<B extends AudioContent | FileContent>(
  block: B,
  place: string,
  report: Report,
): B | TextContent {
  if (block.data === undefined || isBase64(block.data)) return block;
  return replaced(block, "its data is not base64", place, report);
}

function replaced(
  { type }: ImageContent | AudioContent | FileContent,
  why: string,
  at: string,
  report: Report,
): TextContent {
  const what = type === "audio" ? "audio" : type === "file" ? "a file" : "an image";
  report({ at, what, why: `${why}; a text is sent in its place`, severity: "dropped" });
  return { type: "text", text: `[${type} left out: ${why}]` };
}
