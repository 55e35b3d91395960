import { hasShape, type Shape } from "../../core/api/api-rules.js";
import type { Api } from "../../core/api/provider.js";
import type { AgentMessage } from "../../core/types.js";
import { isBlank, type ModelMessage } from "../meaning/blocks.js";

/** Whether the API accepts this text in a block, or as the content of a message. */
export function acceptsText(text: string, { rules }: Api): boolean {
  if (rules.text === "any") return true;
  return rules.text === "not empty" ? text !== "" : !isBlank(text);
}

/** The shape of ids the API accepts; undefined if it is sent no ids or accepts any. */
export function toolIdOf({ rules, sendsIds }: Api): Shape | undefined {
  return sendsIds?.({}) === false ? undefined : rules.toolId;
}

/** Whether the API accepts the ids of the calls in a message, or the id of a result. */
export function acceptsToolIds(message: AgentMessage, api: Api): boolean {
  const shape = toolIdOf(api);
  if (shape === undefined) return true;
  if (message.role === "toolResult") return hasShape(message.toolCallId, shape);
  if (message.role !== "assistant") return true;
  return message.content.every((block) => block.type !== "toolCall" || hasShape(block.id, shape));
}

/** Only a tool result may be empty. */
export function acceptsContent(message: ModelMessage, { rules }: Api): boolean {
  if (message.role === "toolResult" || rules.acceptsEmptyMessages) return true;
  // An empty string counts as content; `acceptsText` checks it.
  return typeof message.content === "string" || message.content.length > 0;
}
