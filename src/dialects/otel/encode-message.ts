import { jsonIn } from "../../core/json/parse.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import type { AgentMessage, AssistantContent, ToolResultMessage, UserContent } from "../../core/types.js";
import { finishReasonOf, originAttributes } from "./attributes.js";
import { decodeAnswerPart, decodeUserPart, encodePart } from "./blocks.js";
import { notesOf } from "./notes.js";
import { roleOfType, UNKNOWN_REASON } from "./wire.js";

/** The role of the wire message; undefined if the conventions have none for the message. */
export function wireRole(message: AgentMessage): string | undefined {
  switch (message.role) {
    case "user":
    case "system":
    case "assistant":
      return message.role;
    case "toolResult":
      return "tool";
    case "compaction":
      return "assistant";
    case "custom":
      return roleOfType(message.customType);
    default:
      return undefined;
  }
}

/** Where a message is written. The attributes of the span are about an answer that is the whole output. */
export type Place = "input" | "output" | "whole output";

/** The wire message without its parts and without what was noted. */
export function encodeFrame(message: AgentMessage, place: Place): JsonObject {
  const reason = message.role === "assistant" ? finishReasonOf(message) : undefined;
  const { sender } = message;
  return {
    role: wireRole(message) ?? "",
    ...(sender === undefined ? {} : { name: sender }),
    ...(reason === undefined ? {} : { finish_reason: reason }),
    ...(message.role === "assistant" && place !== "whole output" ? originAttributes(message) : {}),
  };
}

/** The role of the wire message that begins with this one. */
export function roleOf(first: AgentMessage): unknown {
  return restore(encodeFrame(first, "input"), notesOf(first))["role"];
}

/** The wire message of messages that belong together. An answer in the output must state why it ended. */
export function encodeMessage(
  messages: readonly [AgentMessage, ...AgentMessage[]],
  place: Place,
): JsonObject {
  const [first] = messages;
  const notes = notesOf(first);
  const { role, ...rest } = restore(encodeFrame(first, place), notes);
  const lacksReason = place !== "input" && first.role === "assistant" && notes["noReason"] !== true;
  const reason = lacksReason && rest["finish_reason"] === undefined ? { finish_reason: UNKNOWN_REASON } : {};
  return { role, parts: messages.flatMap(partsOf), ...rest, ...reason };
}

export function partsOf(message: AgentMessage): unknown[] {
  switch (message.role) {
    case "user":
    case "system":
      return userParts(message.content);
    case "custom":
      return userParts(message.content ?? []);
    case "assistant":
      return parts(message.content, decodeAnswerPart);
    case "toolResult":
      return [restore(ownResponse(message), notesOf(message)["response"])];
    case "compaction":
      return [restore({ type: "compaction", content: message.summary }, notesOf(message)["response"])];
    default:
      return [];
  }
}

function userParts(content: string | readonly UserContent[]): unknown[] {
  if (typeof content !== "string") return parts(content, decodeUserPart);
  return [{ type: "text", content }];
}

function parts(blocks: readonly AssistantContent[], decode: (part: unknown) => AssistantContent): unknown[] {
  return blocks.flatMap((block) => {
    const part = encodePart(block, decode);
    return part === undefined ? [] : [part];
  });
}

/** The part of a result, without what was noted. */
export function ownResponse(message: ToolResultMessage): JsonObject {
  return {
    type: "tool_call_response",
    ...(message.toolCallId === "" ? {} : { id: message.toolCallId }),
    response: encodeResponse(message),
    ...(message.isError ? { is_error: true } : {}),
  };
}

/** A text alone is a string, anything else a list of parts. */
export function encodeResponse(message: ToolResultMessage): unknown {
  const { content } = message;
  const { form } = notesOf(message);
  const value = form === "json" ? valueIn(content) : undefined;
  if (value !== undefined) return value;
  return form === "parts" ? parts(content, decodeUserPart) : contentOf(content);
}

export function contentOf(blocks: readonly UserContent[]): string | unknown[] {
  const list = parts(blocks, decodeUserPart);
  const [part, ...others] = list;
  const isPlain = isObject(part) && part["type"] === "text" && Object.keys(part).length === 2;
  return isPlain && others.length === 0 && typeof part["content"] === "string" ? part["content"] : list;
}

/** The value of a text that still is JSON; undefined if it is not, or is a string. */
function valueIn([block, ...others]: readonly UserContent[]): unknown {
  if (block?.type !== "text" || others.length > 0) return undefined;
  const value = jsonIn(block.text);
  return isString(value) ? undefined : value;
}
