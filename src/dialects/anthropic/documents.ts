import { hasExactly, isObject } from "../../core/json/value.js";
import type { FileContent } from "../../core/types.js";
import { base64ToText, textToBase64 } from "../../framing/base64-text.js";
import type { Block, DocumentBlock, DocumentSource } from "./wire.js";

const PDF = "application/pdf";
const PLAIN = "text/plain";

/** A document whose source our model can represent: a PDF, plain text, or a URL. */
export function readDocument(wire: Block): FileContent | undefined {
  const { source, title } = wire;
  if (!isObject(source)) return undefined;
  const name = typeof title === "string" ? { name: title } : {};
  const { type, media_type: mimeType, data, url } = source;
  if (type === "url" && typeof url === "string" && hasExactly(source, "type", "url")) {
    return { type: "file", url, ...name };
  }
  if (typeof data !== "string" || !hasExactly(source, "type", "media_type", "data")) return undefined;
  if (type === "base64" && mimeType === PDF) return { type: "file", data, mimeType, ...name };
  // A lone surrogate has no UTF-8 encoding, so text with one cannot become a file.
  if (type === "text" && mimeType === PLAIN && !/\p{Surrogate}/u.test(data)) {
    return { type: "file", data: textToBase64(data), mimeType, ...name };
  }
  return undefined;
}

/** Undefined for files that the API does not accept. All kinds of text are sent as plain text. */
export function writeDocument(file: FileContent): DocumentBlock | undefined {
  const source = sourceOf(file);
  if (source === undefined) return undefined;
  return { type: "document", source, ...(file.name === undefined ? {} : { title: file.name }) };
}

function sourceOf(file: FileContent): DocumentSource | undefined {
  if (file.url !== undefined) return { type: "url", url: file.url };
  const { data, mimeType } = file;
  if (mimeType === PDF) return { type: "base64", media_type: PDF, data };
  if (!mimeType.startsWith("text/")) return undefined;
  const text = base64ToText(data);
  return text === undefined ? undefined : { type: "text", media_type: PLAIN, data: text };
}
