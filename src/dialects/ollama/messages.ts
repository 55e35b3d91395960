import type { JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import type { AgentMessage, AssistantMessage, ToolResultMessage } from "../../core/types.js";
import { hasNoId, writeCalls } from "./calls.js";
import { notesOf, restoreForm } from "./notes.js";
import { SEPARATOR, writeImages, writeText } from "./parts.js";
import { API, type WireMessage } from "./wire.js";

/**
 * A message in a request; undefined if a request cannot contain it. Results of calls in `unnamed` are written without an
 * id, because their calls have none.
 */
export function writeMessage(
  message: AgentMessage,
  unnamed: ReadonlySet<string> = new Set(),
): JsonObject | undefined {
  const written = plainMessage(message, unnamed);
  return written === undefined ? undefined : restoreForm(written, notesOf(message)["form"]);
}

function plainMessage(message: AgentMessage, unnamed: ReadonlySet<string>): WireMessage | undefined {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: writeText(message.content), ...writeImages(message.content) };
    case "assistant":
      return writeAnswer(message);
    case "toolResult":
      return writeResult(message, unnamed);
    case "custom": {
      // A message with an unknown role that was read from a request of this API.
      const { customType: role, content = "" } = message;
      const { role: known } = notesOf(message);
      return known === role ? { role, content: writeText(content), ...writeImages(content) } : undefined;
    }
    default:
      return undefined;
  }
}

/** An answer as a message: one text, one thinking text, the images, the calls. */
export function writeAnswer({ content, api }: AssistantMessage): WireMessage {
  const separator = separatorOf(api);
  const thinking = content
    .flatMap((block) => (block.type === "thinking" && block.thinking !== "" ? [block.thinking] : []))
    .join(separator);
  return {
    role: "assistant",
    content: writeText(content, separator),
    ...(thinking === "" ? {} : { thinking }),
    ...writeImages(content),
    ...writeCalls(content),
  };
}

/** Texts in an answer of this API are pieces of one text; texts of another API are joined by line breaks. */
export function separatorOf(api: string): string {
  return api === API ? "" : SEPARATOR;
}

function writeResult(message: ToolResultMessage, unnamed: ReadonlySet<string>): WireMessage {
  const { content, toolName, toolCallId } = message;
  const named = toolName !== "" && !isSynthesised(message, "/toolName");
  const matched = toolCallId !== "" && !isSynthesised(message, "/toolCallId") && !unnamed.has(toolCallId);
  return {
    role: "tool",
    content: writeText(content),
    ...writeImages(content),
    ...(named ? { tool_name: toolName } : {}),
    ...(matched ? { tool_call_id: toolCallId } : {}),
  };
}

/** The ids that we created for calls. */
export function unnamedCalls(messages: readonly AgentMessage[]): Set<string> {
  const ids = messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((block) => (block.type === "toolCall" && hasNoId(block) ? [block.id] : []))
      : [],
  );
  return new Set(ids);
}
