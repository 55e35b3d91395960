import { isObject, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  CustomMessage,
  ToolResultMessage,
  UserContent,
} from "../../core/types.js";
import { othersIn } from "./notes.js";
import { BLOCK_TYPE, isCustom, OWN_PREFIX, pick } from "./wire.js";

/** The value of the Timbal message for a block of an assistant message, without the sender. */
export function blockValue(block: AssistantContent): JsonObject {
  switch (block.type) {
    case "text":
      return { type: "agent", content: block.text };
    case "thinking":
      return { type: "thinking", content: block.thinking };
    case "toolCall":
      return { type: "tool_call", toolCallId: block.id, name: block.name, arguments: block.arguments };
    default: {
      const { ext, ...rest } = block;
      const others = othersIn(ext);
      return { type: BLOCK_TYPE, block: others === undefined ? rest : { ...rest, ext: others } };
    }
  }
}

/** The value of the Timbal message for any other message. `bare` allows a custom type without `x-`. */
export function messageValue(message: Exclude<AgentMessage, AssistantMessage>, bare: boolean): JsonObject {
  const sender = message.sender === undefined ? {} : { sender: message.sender };
  switch (message.role) {
    case "user":
      return { type: "user", content: textOf(message.content), ...sender };
    case "toolResult":
      return { ...resultValue(message), ...sender };
    case "status":
      return { type: "status", ...pick(message, ["state", "detail"]), ...sender };
    case "error":
      return { type: "error", ...pick(message, ["content", "code", "recoverable"]), ...sender };
    case "agentComplete":
      return { type: "agent_complete", ...pick(message, ["agentId", "result"]), ...sender };
    case "agentMessage":
      return { type: "agent_message", ...pick(message, ["senderId", "payload", "replyTo"]), ...sender };
    case "custom":
      return customValue(message, bare);
    default:
      return ownValue(message);
  }
}

function textOf(content: string | readonly UserContent[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function resultValue(message: ToolResultMessage): JsonObject {
  const { toolCallId, toolName, content, details, isError } = message;
  return {
    type: "tool_result",
    toolCallId,
    // Receivers ignore unknown fields, and they may not have the call.
    ...(isSynthesised(message, "/toolName") ? {} : { name: toolName }),
    status: isError ? "error" : "success",
    [isError ? "error" : "output"]: outcomeOf(content, details),
  };
}

/** `details` if the text shown to the model is only its JSON; otherwise that text. */
function outcomeOf(content: readonly UserContent[], details: unknown): unknown {
  if (content.length === 0) return details ?? "";
  const text = textOf(content);
  return typeof details !== "string" && JSON.stringify(details) === text ? details : text;
}

/** A custom message with a valid Timbal type and only `data` is written in that type, others in our own. */
function customValue(message: CustomMessage, bare: boolean): JsonObject {
  const { customType, content, data, sender } = message;
  const isType = isCustom(customType) && (bare || customType.startsWith("x-"));
  const isValue = isObject(data) && typeof data["type"] !== "string" && typeof data["sender"] !== "string";
  if (!isType || !isValue || content !== undefined) return ownValue(message);
  return { type: customType, ...data, ...(sender === undefined ? {} : { sender }) };
}

/** A message in one of our own types. Its time and id are in the frame. */
function ownValue(message: AgentMessage): JsonObject {
  const { role, timestamp: _, id: __, ext: ___, ...own }: JsonObject = { ...message };
  const { synthesised, ...others } = othersIn(message.ext) ?? {};
  const listed = synthesised?.filter((pointer) => pointer !== "/timestamp") ?? [];
  const ext = { ...others, ...(listed.length > 0 ? { synthesised: listed } : {}) };
  return { ...own, type: `${OWN_PREFIX}${role}`, ...(Object.keys(ext).length > 0 ? { ext } : {}) };
}
