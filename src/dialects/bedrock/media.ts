import { hasExactly, isObject, type JsonObject } from "../../core/json/value.js";
import type { FileContent, ImageContent } from "../../core/types.js";
import { DOCUMENT_FORMATS, type DocumentBlock, IMAGE_FORMATS, type ImageBlock } from "./wire.js";

/** An image given as bytes; undefined for an image in S3, which is kept unchanged. */
export function readImage({ format, source }: JsonObject): ImageContent | undefined {
  const data = bytesIn(source);
  const mimeType = typeOf(IMAGE_FORMATS, format);
  return data === undefined || mimeType === undefined ? undefined : { type: "image", data, mimeType };
}

/** Undefined for URLs and for types that the API does not accept. */
export function writeImage(image: ImageContent): ImageBlock | undefined {
  if (image.url !== undefined) return undefined;
  const format = IMAGE_FORMATS.get(plainType(image.mimeType));
  return format === undefined ? undefined : { image: { format, source: { bytes: image.data } } };
}

export function readDocument({ format, name, source }: JsonObject): FileContent | undefined {
  const data = bytesIn(source);
  const mimeType = typeOf(DOCUMENT_FORMATS, format);
  if (data === undefined || mimeType === undefined || typeof name !== "string") return undefined;
  return { type: "file", data, mimeType, ...(name === UNNAMED ? {} : { name }) };
}

/** Undefined for URLs and for types that the API does not accept. Text of other types is sent as plain text. */
export function writeDocument(file: FileContent): DocumentBlock | undefined {
  if (file.url !== undefined) return undefined;
  const type = plainType(file.mimeType);
  const format = DOCUMENT_FORMATS.get(type) ?? (type.startsWith("text/") ? "txt" : undefined);
  if (format === undefined) return undefined;
  return { document: { format, name: documentName(file.name), source: { bytes: file.data } } };
}

/** The name of a document that has none; the API requires one. */
const UNNAMED = "document";

/**
 * Letters, digits, single spaces, hyphens, parentheses and brackets. Other characters become hyphens.
 *
 * @example
 * documentName("Q3  report_final.pdf"); // "Q3 report-final-pdf"
 */
function documentName(name: string | undefined): string {
  const plain = (name ?? "")
    .replace(/[^\p{L}\p{N}\s()[\]-]/gu, "-")
    .replace(/\s+/g, " ")
    .trim();
  return plain === "" ? UNNAMED : plain.slice(0, 200);
}

function bytesIn(source: unknown): string | undefined {
  if (!isObject(source) || !hasExactly(source, "bytes")) return undefined;
  return typeof source["bytes"] === "string" ? source["bytes"] : undefined;
}

function typeOf(formats: ReadonlyMap<string, string>, format: unknown): string | undefined {
  return [...formats].find(([, known]) => known === format)?.[0];
}

function plainType(mimeType: string): string {
  const [type = ""] = mimeType.toLowerCase().split(";");
  return type.trim();
}
