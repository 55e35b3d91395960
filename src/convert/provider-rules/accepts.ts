import type { Shape } from "../../core/api/api-rules.js";
import type { Api } from "../../core/api/provider.js";
import { isBlank, type ModelMessage } from "../meaning/blocks.js";

/** Whether the API accepts this text in a block, or as the content of a message. */
export function acceptsText(text: string, { rules }: Api): boolean {
  if (rules.text === "any") return true;
  return rules.text === "not empty" ? text !== "" : !isBlank(text);
}

/** The ids that the API accepts; absent where it is not sent any, or accepts every one. */
export function toolIdOf({ rules, sendsIds }: Api): Shape | undefined {
  return sendsIds?.({}) === false ? undefined : rules.toolId;
}

/** Only a tool may have nothing to say. */
export function acceptsContent(message: ModelMessage, { rules }: Api): boolean {
  if (message.role === "toolResult" || rules.acceptsEmptyMessages) return true;
  // An empty string is content where any text is.
  return typeof message.content === "string" || message.content.length > 0;
}
