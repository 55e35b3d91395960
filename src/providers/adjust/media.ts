import { type ApiRules, isAmong } from "../../core/api/api-rules.js";
import { isBase64, readDataUrl, typeOfBytes, withoutLineBreaks } from "../../core/message/media.js";
import type { Shown } from "../../core/shown/conversation.js";
import type { AudioContent, FileContent, ImageContent, TextContent } from "../../core/types.js";
import type { ModelCard } from "../catalogue.js";
import { at, type Report } from "./entry.js";
import type { Target } from "./target.js";

const IMAGE_PLACEHOLDER = "[image: this model cannot see images]";

/** Whether a block replaces an image that the model cannot see. Consecutive images need only one. */
export function isImagePlaceholder(block: { type: string; text?: string } | undefined): boolean {
  return block?.type === "text" && block.text === IMAGE_PLACEHOLDER;
}

/**
 * An image in the form that the API accepts. A wrong type is corrected. An image that the API refuses is replaced by a
 * text: it would otherwise be part of every later request, and make each of them fail.
 */
export function fitImage(
  image: ImageContent,
  { images, rules }: Target,
  place: string,
  report: Report,
): ImageContent | TextContent {
  if (!images) {
    report({ at: place, what: "an image", why: "the model cannot see images", severity: "approximated" });
    return { type: "text", text: IMAGE_PLACEHOLDER };
  }
  const { detail, ...plain } = image;
  if (detail !== undefined && !rules.imageDetail) {
    const why = "this API has no field for it";
    report({ at: `${place}/detail`, what: `the image detail "${detail}"`, why, severity: "dropped" });
    return fitBytes(plain, rules, place, report);
  }
  return fitBytes(image, rules, place, report);
}

function fitBytes(
  image: ImageContent,
  { media, urlSchemes }: ApiRules,
  place: string,
  report: Report,
): ImageContent | TextContent {
  const bytes = bytesOf(image);
  if (bytes === undefined) {
    const why = whyNotFetched(image.url ?? "", urlSchemes);
    return why === undefined ? image : replaceByText(image, why, place, report);
  }
  if (!isBase64(bytes.data)) return replaceByText(image, "its data is not base64", place, report);
  const declared = bytes.mimeType.toLowerCase();
  const type = typeOfBytes(bytes.data) ?? (declared === "image/jpg" ? "image/jpeg" : declared);
  const { image: types = [] } = media.user;
  if (!isAmong(types, type)) return replaceByText(image, whyNot(types, type), place, report);
  if (type !== bytes.mimeType) {
    report({
      at: image.data === undefined ? `${place}/url` : `${place}/mimeType`,
      what: `the mime type "${bytes.mimeType}"`,
      why: `the bytes are ${type}, which is sent instead`,
      severity: "approximated",
    });
  }
  if (type === image.mimeType && bytes.data === image.data) return image;
  const { url: _, ...rest } = image;
  return { ...rest, data: bytes.data, mimeType: type };
}

/** Why the provider cannot fetch a URL; undefined if it can. */
function whyNotFetched(url: string, schemes: readonly string[]): string | undefined {
  const scheme = /^[a-z][a-z0-9+.-]{0,30}(?=:)/i.exec(url)?.[0].toLowerCase() ?? "";
  if (schemes.includes(scheme)) return undefined;
  if (schemes.length === 0) return "this API does not fetch URLs";
  return scheme === "" ? "its URL has no scheme" : `this API does not fetch ${scheme}: URLs`;
}

/** The bytes in a block's `data` or `data:` URL; undefined for other URLs. */
function bytesOf({ data, mimeType, url }: ImageContent): { data: string; mimeType: string } | undefined {
  if (data !== undefined) return { data: withoutLineBreaks(data), mimeType };
  if (!/^data:/i.test(url)) return undefined;
  const bytes = readDataUrl(url);
  return bytes === undefined ? { data: "", mimeType: "" } : { ...bytes, data: withoutLineBreaks(bytes.data) };
}

/** An audio or file block that the API accepts; otherwise its text, or a text that replaces it. */
export function fitOther<B extends AudioContent | FileContent>(
  block: B,
  role: "user" | "toolResult",
  { media, refuses, urlSchemes }: ApiRules,
  place: string,
  report: Report,
): B | TextContent {
  const types = media[role][block.type];
  if (types === undefined) return textInstead(block, "this API does not accept it", place, report);
  const whole = block.data === undefined ? block : { ...block, data: withoutLineBreaks(block.data) };
  if (whole.data !== undefined && !isBase64(whole.data)) {
    return replaceByText(block, "its data is not base64", place, report);
  }
  const { mimeType, url } = whole;
  const isOther = mimeType !== undefined && !isAmong(types, mimeType);
  const why =
    refuses?.(whole) ??
    (isOther ? whyNot(types, mimeType) : undefined) ??
    (url === undefined ? undefined : whyNotFetched(url, urlSchemes));
  return why === undefined ? whole : textInstead(whole, why, place, report);
}

/** The text of a text file that the API does not accept as a file; other files are replaced by a text about them. */
function textInstead(
  block: AudioContent | FileContent,
  why: string,
  at: string,
  report: Report,
): TextContent {
  const { type, data, mimeType = "", name = "file" } = block;
  const isText = type === "file" && data !== undefined && isAmong(["text/*"], mimeType);
  if (!isText || !isBase64(withoutLineBreaks(data))) return replaceByText(block, why, at, report);
  report({ at, what: "a file", why: `${why}; its text is sent instead`, severity: "approximated" });
  return { type: "text", text: `[file: ${name}]\n${textOf(data)}` };
}

function textOf(base64: string): string {
  const bytes = Uint8Array.from(atob(withoutLineBreaks(base64)), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

function whyNot(types: readonly string[], type: string): string {
  return `this API accepts ${types.join(", ")}, not ${type}`;
}

function replaceByText(
  { type }: ImageContent | AudioContent | FileContent,
  why: string,
  at: string,
  report: Report,
): TextContent {
  report({ at, what: MEDIA[type], why: `${why}; a text is sent in its place`, severity: "dropped" });
  return { type: "text", text: `[${type} left out: ${why}]` };
}

const MEDIA = { image: "an image", audio: "audio", file: "a file" } as const;

/** Reports the media that a text-only model in this process does not read. It has no API whose rules would report them. */
export function reportUnreadMedia(shown: readonly Shown[], { input }: ModelCard, report: Report): void {
  if (input.some((kind) => kind !== "text")) return;
  for (const entry of shown) {
    const { content } = entry.message;
    for (const [index, { type }] of typeof content === "string" ? [] : content.entries()) {
      if (type !== "image" && type !== "audio" && type !== "file") continue;
      report({
        at: at(entry, `/content/${index}`),
        what: MEDIA[type],
        why: "the model accepts only text",
        severity: "dropped",
      });
    }
  }
}
