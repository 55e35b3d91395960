import type { JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import type { AgentMessage, AssistantMessage, ToolResultMessage } from "../../core/types.js";
import { hasNoId, writeCalls } from "./calls.js";
import { notesOf, restoreForm } from "./notes.js";
import { SEPARATOR, writeImages, writeText } from "./parts.js";
import { API, type WireMessage } from "./wire.js";

/**
 * The message of a request that says this; undefined when none does. Results of the calls in `unnamed` are not
 * matched by id, as the calls have none.
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
      // A role that we have no word for, if it was read from such a request.
      const { customType: role, content = "" } = message;
      const { role: known } = notesOf(message);
      return known === role ? { role, content: writeText(content), ...writeImages(content) } : undefined;
    }
    default:
      return undefined;
  }
}

/** An answer as a message: one text, one thought, the images, the calls. */
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

/** The pieces of an answer of this API are pieces of one text; those of others were apart. */
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

/** The ids that we made for calls. */
export function unnamedCalls(messages: readonly AgentMessage[]): Set<string> {
  const ids = messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((block) => (block.type === "toolCall" && hasNoId(block) ? [block.id] : []))
      : [],
  );
  return new Set(ids);
}
