import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { withFields } from "../../core/records/deviation.js";
import type { AssistantContent, FileContent, TextContent, UserContent } from "../../core/types.js";
import { extWith, notesOf } from "./notes.js";
import { NAME, objectIn } from "./wire.js";

type Block = UserContent;

/** Types of parts that point to a file of the export. */
const pointers: Readonly<Record<string, "image" | "audio">> = {
  image_asset_pointer: "image",
  audio_asset_pointer: "audio",
};

/** A member of `parts`: a text, or an object with a type. */
export function readPart(part: unknown): Block {
  if (isString(part)) return { type: "text", text: part };
  if (!isObject(part)) return opaque(part);
  const { content_type: type, ...others } = part;
  const medium = isString(type) && Object.hasOwn(pointers, type) ? pointers[type] : undefined;
  const { asset_pointer: url, text } = others;
  if (medium !== undefined && isString(url)) {
    const { asset_pointer: _, ...fields } = others;
    return { type: medium, url, ...extWith({ fields }) };
  }
  if (type === "audio_transcription" && isString(text)) {
    const { text: _, ...fields } = others;
    return { type: "text", text, ...extWith({ part: type, fields }) };
  }
  return opaque(part);
}

/** The part that a block was; undefined for a block that no part can represent. */
export function writePart(block: Block | AssistantContent): unknown[] {
  const { part, fields } = notesOf(block);
  switch (block.type) {
    case "text":
      if (!isString(part)) return [block.text];
      return [withFields({ content_type: part, text: block.text }, fields)];
    case "image":
    case "audio":
      if (block.url === undefined) return [];
      return [withFields({ content_type: `${block.type}_asset_pointer`, asset_pointer: block.url }, fields)];
    case "opaque":
      return block.dialect === NAME ? [block.value] : [];
    default:
      return [];
  }
}

/** Types of content with one text, and the field that has it. */
const texts: Readonly<Record<string, string>> = {
  code: "text",
  execution_output: "text",
  system_error: "text",
  tether_quote: "text",
  tether_browsing_display: "result",
};

/** Content that has one text instead of parts; undefined for other content. */
export function readAlone(content: JsonObject): TextContent | undefined {
  const { content_type: type, ...others } = content;
  const field = isString(type) && Object.hasOwn(texts, type) ? texts[type] : undefined;
  if (field === undefined) return undefined;
  const { [field]: text, ...fields } = others;
  return isString(text) ? { type: "text", text, ...extWith({ content: type, fields }) } : undefined;
}

export function writeAlone([block]: readonly (Block | AssistantContent)[]): JsonObject | undefined {
  const { content: type, fields } = notesOf(block);
  const field = isString(type) && Object.hasOwn(texts, type) ? texts[type] : undefined;
  if (block?.type !== "text" || field === undefined) return undefined;
  return withFields({ content_type: type, [field]: block.text }, fields);
}

/** A file that the user attached; only its name and id are in the export. */
function readAttachment(value: unknown): FileContent | undefined {
  if (!isObject(value)) return undefined;
  const { id, name, mime_type: mimeType, ...fields } = value;
  if (!isString(id) || !isString(name)) return undefined;
  if (mimeType !== undefined && !isString(mimeType)) return undefined;
  return {
    type: "file",
    url: id,
    name,
    ...(mimeType === undefined ? {} : { mimeType }),
    ...extWith({ fields }),
  };
}

function writeAttachment(block: Block | AssistantContent): JsonObject[] {
  if (block.type !== "file" || block.url === undefined) return [];
  const { url, name, mimeType } = block;
  return [
    withFields(
      {
        id: url,
        ...(name === undefined ? {} : { name }),
        ...(mimeType === undefined ? {} : { mime_type: mimeType }),
      },
      notesOf(block)["fields"],
    ),
  ];
}

/** All attachments of a message, if each is readable. */
export function attachmentsIn(message: JsonObject): FileContent[] {
  const { attachments } = objectIn(message, "metadata");
  if (!Array.isArray(attachments)) return [];
  const files = attachments.map(readAttachment);
  return files.every((file) => file !== undefined) ? files : [];
}

/** `{ attachments }` for the metadata of a message with files. */
export function writeAttachments(content: readonly (Block | AssistantContent)[]): JsonObject {
  const attachments = content.flatMap(writeAttachment);
  return isEmpty(attachments) ? {} : { attachments };
}

function opaque(value: unknown): Block {
  return { type: "opaque", dialect: NAME, value };
}
