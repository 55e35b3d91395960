import { isObject, type JsonObject } from "../../core/json/value.js";

/** The name of this dialect, under which it keeps its notes in `ext`. */
export const NAME = "bedrock";

/** The value of `AssistantMessage.api`. */
export const API = "bedrock-converse";

/** Image formats, by MIME type. */
export const IMAGE_FORMATS: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpeg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
]);

/** Document formats, by MIME type. */
export const DOCUMENT_FORMATS: ReadonlyMap<string, string> = new Map([
  ["application/pdf", "pdf"],
  ["text/csv", "csv"],
  ["application/msword", "doc"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  ["application/vnd.ms-excel", "xls"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
  ["text/html", "html"],
  ["text/plain", "txt"],
  ["text/markdown", "md"],
]);

/** The shapes that we write. Input may have more fields, and is checked field by field. */
export type TextBlock = { text: string };
export type ReasoningBlock = {
  reasoningContent: { reasoningText: { text: string; signature?: string } } | { redactedContent: string };
};
export type ToolUseBlock = { toolUse: { toolUseId: string; name: string; input: JsonObject } };
export type CitedBlock = { citationsContent: { content: TextBlock[]; citations: unknown[] } };
export type ImageBlock = { image: { format: string; source: { bytes: string } } };
export type DocumentBlock = { document: { format: string; name: string; source: { bytes: string } } };

export type AnswerBlock = TextBlock | ReasoningBlock | ToolUseBlock | CitedBlock;
export type GivenBlock = TextBlock | ImageBlock | DocumentBlock;

export type ToolResult = { toolUseId: string; content: JsonObject[]; status?: "error" };
export type ToolSpec = {
  name: string;
  description?: string;
  inputSchema: { json: JsonObject };
  strict?: boolean;
};
export type ToolChoice =
  | { auto: Record<string, never> }
  | { any: Record<string, never> }
  | { tool: { name: string } };

export type Usage = {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cacheReadInputTokens?: number;
  cacheWriteInputTokens?: number;
};

/** A block on the wire: an object with one member, named after its kind. */
export type Block = JsonObject;

/** The only member of a block; undefined if it has none or several. */
export function memberOf(block: Block): { kind: string; value: unknown } | undefined {
  const [kind, ...others] = Object.keys(block);
  return kind === undefined || others.length > 0 ? undefined : { kind, value: block[kind] };
}

/** The object in a field; undefined if it is not an object. */
export function objectIn(value: unknown, key: string): JsonObject | undefined {
  const inner = isObject(value) ? value[key] : undefined;
  return isObject(inner) ? inner : undefined;
}
