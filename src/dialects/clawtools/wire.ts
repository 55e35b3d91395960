import { isObject, isString, type JsonObject } from "../../core/json/value.js";

export const NAME = "clawtools";

/*
 * The file is one array of these:
 *
 *     { role: "user",       content: string | Block[] }
 *     { role: "assistant",  content: string | null | Block[] }
 *     { role: "toolResult", toolCallId: string, toolName: string, content: ResultBlock[], isError: boolean, details? }
 */

/** A block of a user or assistant message: any type, any fields. */
export type Block = { type: string; [key: string]: unknown };

/** A block of a tool result. */
export type ResultBlock = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };

export interface UserMessage {
  role: "user";
  content: string | readonly Block[];
}

export interface AssistantMessage {
  role: "assistant";
  /** Null if the calls are in another field; blocks may be text, images and `toolCall`. */
  content: string | null | readonly Block[];
}

export interface ToolResultMessage<TDetails = unknown> {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: readonly ResultBlock[];
  isError: boolean;
  /** For programs; never shown to a model. */
  details?: TDetails;
}

/** A message as a program passes it to a connector. */
export type ConversationMessage = UserMessage | AssistantMessage | ToolResultMessage;

/** An image; `url` is its address or a data URL. */
export type ImageUrlBlock = {
  type: "image_url";
  image_url: { url: string; [key: string]: unknown };
  [key: string]: unknown;
};

export function isImageUrl(value: unknown): value is ImageUrlBlock {
  return hasType(value, "image_url") && isObject(value["image_url"]) && isString(value["image_url"]["url"]);
}

export function isResultText(value: unknown): value is { type: "text"; text: string } & JsonObject {
  return hasType(value, "text") && isString(value["text"]);
}

export function isResultImage(
  value: unknown,
): value is { type: "image"; data: string; mimeType: string } & JsonObject {
  return hasType(value, "image") && isString(value["data"]) && isString(value["mimeType"]);
}

export function hasType(value: unknown, type: string): value is JsonObject {
  return isObject(value) && value["type"] === type;
}
