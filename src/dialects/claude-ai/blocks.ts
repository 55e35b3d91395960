import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { deviations, restore, sorted } from "../../core/records/deviation.js";
import type {
  AssistantContent,
  FileContent,
  OpaqueContent,
  TextContent,
  UserContent,
} from "../../core/types.js";
import { base64ToText, textToBase64 } from "../../framing/base64-text.js";
import { extWith, notesOf } from "./notes.js";
import { isBlock, NAME } from "./wire.js";

type Block = UserContent | AssistantContent;

/** A block of a message that is not a tool result. */
export function readBlock(value: unknown): AssistantContent {
  if (isBlock(value, "thinking") && isString(value["thinking"])) {
    const { signature } = value;
    return noted(value, {
      type: "thinking",
      thinking: value["thinking"],
      ...(isString(signature) && signature !== "" ? { thinkingSignature: signature } : {}),
    });
  }
  if (
    isBlock(value, "tool_use") &&
    isString(value["id"]) &&
    isString(value["name"]) &&
    isObject(value["input"])
  ) {
    return noted(value, {
      type: "toolCall",
      id: value["id"],
      name: value["name"],
      arguments: value["input"],
    });
  }
  return readPlain(value);
}

/** A block that can also be part of a user's message or of a tool result. */
export function readPlain(value: unknown): TextContent | OpaqueContent {
  if (isBlock(value, "text") && isString(value["text"]))
    return noted(value, { type: "text", text: value["text"] });
  return { type: "opaque", dialect: NAME, value };
}

function noted<T extends Block>(value: JsonObject, block: T): T {
  const deviation = sorted(deviations(value, ourBlock(block) ?? {}));
  return { ...block, ...extWith({ ...deviation }) };
}

export function writeBlock(block: Block): unknown[] {
  if (block.type === "opaque") return block.dialect === NAME ? [block.value] : [];
  const ours = ourBlock(block);
  return ours === undefined ? [] : [restore(ours, notesOf(block))];
}

function ourBlock(block: Block): JsonObject | undefined {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking": {
      const { thinking, thinkingSignature: signature } = block;
      return { type: "thinking", thinking, ...(signature === undefined ? {} : { signature }) };
    }
    case "toolCall":
      return { type: "tool_use", id: block.id, name: block.name, input: block.arguments };
    default:
      return undefined;
  }
}

/** A file whose text Claude extracted, and that the export contains. */
export function readAttachment(value: unknown): FileContent | undefined {
  if (!isObject(value)) return undefined;
  const { file_name: name, extracted_content: text, file_type: type } = value;
  if (!isString(name) || !isString(text) || /\p{Surrogate}/u.test(text)) return undefined;
  const mimeType = isString(type) && type.includes("/") ? type : "text/plain";
  const block: FileContent = { type: "file", name, mimeType, data: textToBase64(text) };
  return noteAttachment(value, block);
}

function noteAttachment(value: JsonObject, block: FileContent): FileContent {
  return { ...block, ...extWith({ ...sorted(deviations(value, ourAttachment(block))) }) };
}

export function writeAttachment(block: FileContent): JsonObject {
  return restore(ourAttachment(block), notesOf(block));
}

function ourAttachment({ name = "", mimeType, data }: FileContent): JsonObject {
  const text = data === undefined ? "" : (base64ToText(data) ?? "");
  const size = new TextEncoder().encode(text).length;
  return { file_name: name, file_size: size, file_type: mimeType ?? "", extracted_content: text };
}

/** A file that only its name is left of. */
export function readFile(value: unknown): FileContent | undefined {
  if (!isObject(value)) return undefined;
  const { file_uuid: url, file_name: name } = value;
  if (!isString(name) || !isString(url)) return undefined;
  const block: FileContent = { type: "file", name, url };
  return { ...block, ...extWith({ ...sorted(deviations(value, ourFile(block))) }) };
}

export function writeFile(block: FileContent): JsonObject {
  return restore(ourFile(block), notesOf(block));
}

function ourFile({ name = "", url }: FileContent): JsonObject {
  return { file_uuid: url, file_name: name };
}
