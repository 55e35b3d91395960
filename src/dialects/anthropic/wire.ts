import { isObject, type JsonObject } from "../../core/json/value.js";

/** The name of this dialect, under which it keeps its notes in `ext`. */
export const NAME = "anthropic";

/** The value of `AssistantMessage.api`. */
export const API = "anthropic-messages";

/** The MIME types of images that are accepted as bytes. */
export const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** The shapes that we write. Input may have more fields, and is checked field by field. */
export type TextBlock = { type: "text"; text: string };
export type ThinkingBlock = { type: "thinking"; thinking: string; signature: string };
export type RedactedThinkingBlock = { type: "redacted_thinking"; data: string };
export type ToolUseBlock = { type: "tool_use"; id: string; name: string; input: JsonObject };

export type ImageSource = { type: "base64"; media_type: string; data: string } | { type: "url"; url: string };
type ImageBlock = { type: "image"; source: ImageSource };

export type DocumentSource =
  | { type: "base64"; media_type: "application/pdf"; data: string }
  | { type: "text"; media_type: "text/plain"; data: string }
  | { type: "url"; url: string };
export type DocumentBlock = { type: "document"; source: DocumentSource; title?: string };

export type AnswerBlock = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock;
export type GivenBlock = TextBlock | ImageBlock | DocumentBlock;

export type ToolResultBlock = { type: "tool_result"; tool_use_id: string; is_error?: true };

export type Tool = { name: string; description?: string; input_schema: JsonObject; strict?: boolean };

export type Usage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
};

/** A response without its content and usage. */
export type Head = {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  stop_reason: "end_turn" | "max_tokens" | "tool_use" | null;
  stop_sequence: null;
};

/** The fields that every block on the wire has. */
export type Block = JsonObject & { type: string };

export function isBlock(value: unknown): value is Block {
  return isObject(value) && typeof value["type"] === "string";
}
