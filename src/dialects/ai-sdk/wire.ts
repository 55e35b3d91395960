import { isObject, type JsonObject } from "../../core/json/value.js";

export const NAME = "ai-sdk";

/*
 * The file is one array of model messages, as `streamText` and `generateText` accept and return them (AI SDK 5 and 6):
 *
 *     { role: "system",    content: string }
 *     { role: "user",      content: string | (text | image | file)[] }
 *     { role: "assistant", content: string | (text | file | reasoning | tool-call | tool-result | tool-approval-request)[] }
 *     { role: "tool",      content: (tool-result | tool-approval-response)[] }
 *
 * Each message and part may have `providerOptions`. A tool-result in an assistant message belongs to a tool that the
 * provider executed.
 */

/** The `customType` of a message for a part of a tool message that is not a result, such as an approval. */
export const TOOL_PART = "ai-sdk/tool-part";

/** The `customType` of a message for a tool message without parts. */
export const NO_TOOL_PARTS = "ai-sdk/no-tool-parts";

export function isPart<T extends string>(value: unknown, type: T): value is JsonObject & { type: T } {
  return isObject(value) && value["type"] === type;
}

export function isToolMessage({ role }: JsonObject): boolean {
  return role === "tool";
}
