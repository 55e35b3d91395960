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

/** A block of an assistant message as the value of a Timbal message, without its sender. */
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

/** Any other message as the value of a Timbal message. `bare` lets a custom type do without `x-`. */
export function messageValue(message: Exclude<AgentMessage, AssistantMessage>, bare: boolean): JsonObject {
  const sender = message.sender === undefined ? {} : { sender: message.sender };
  switch (message.role) {
    case "user":
      return { type: "user", content: textWith(message.content), ...sender };
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

function textWith(content: string | readonly UserContent[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function resultValue(message: ToolResultMessage): JsonObject {
  const { toolCallId, toolName, content, details, isError } = message;
  const outcome = outcomeOf(content, details);
  return {
    type: "tool_result",
    toolCallId,
    // Receivers ignore fields they do not know, and the call may be out of reach.
    ...(isSynthesised(message, "/toolName") ? {} : { name: toolName }),
    status: isError ? "error" : "success",
    [isError ? "error" : "output"]: outcome,
  };
}

/** What the tool gave, when the text shown to the model is only its JSON; otherwise that text. */
function outcomeOf(content: readonly UserContent[], details: unknown): unknown {
  if (content.length === 0) return details ?? "";
  const text = textWith(content);
  const isJsonOfDetails =
    details !== undefined && typeof details !== "string" && JSON.stringify(details) === text;
  return isJsonOfDetails ? details : text;
}

/** A custom message whose type is one for Timbal, and whose data is all it holds, is that type's message. */
function customValue(message: CustomMessage, bare: boolean): JsonObject {
  const { customType, content, data, sender } = message;
  const isType = isCustom(customType) && (bare || customType.startsWith("x-"));
  const isValue = isObject(data) && typeof data["type"] !== "string" && typeof data["sender"] !== "string";
  if (!isType || !isValue || content !== undefined) return ownValue(message);
  return { type: customType, ...data, ...(sender === undefined ? {} : { sender }) };
}

/** A message in a type of our own. Its time and its id are the frame's. */
function ownValue(message: AgentMessage): JsonObject {
  const { role, timestamp: _, id: __, ext: ___, ...own }: JsonObject = { ...message };
  const { synthesised, ...others } = othersIn(message.ext) ?? {};
  const unsaid = synthesised?.filter((pointer) => pointer !== "/timestamp") ?? [];
  const ext = { ...others, ...(unsaid.length > 0 ? { synthesised: unsaid } : {}) };
  return { ...own, type: `${OWN_PREFIX}${role}`, ...(Object.keys(ext).length > 0 ? { ext } : {}) };
}
