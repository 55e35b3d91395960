import type { Shape } from "../../core/api/api-rules.js";
import type { Api } from "../../core/api/provider.js";
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

/** Only a tool result may be empty. */
export function acceptsContent(message: ModelMessage, { rules }: Api): boolean {
  if (message.role === "toolResult" || rules.acceptsEmptyMessages) return true;
  // An empty string counts as content; `acceptsText` checks it.
  return typeof message.content === "string" || message.content.length > 0;
}
