import type { Api } from "../../../core/api/provider.js";
import { isObject } from "../../../core/json/value.js";
import type { AgentMessage, AssistantContent } from "../../../core/types.js";
import { messagesOf } from "./items.js";

/** Stored messages for a model with another API: calls and results of the client's own tools are those of functions. */
export function withFunctions(api: Api, messages: readonly AgentMessage[]): AgentMessage[] {
  return messages.flatMap((message): AgentMessage[] => {
    if (message.role !== "assistant" || !message.content.some(({ type }) => type === "opaque"))
      return [message];
    const parts: AgentMessage[] = [];
    let content: AssistantContent[] = [];
    const close = () => {
      if (content.length > 0) parts.push({ ...message, content });
      content = [];
    };
    for (const block of message.content) {
      for (const part of functionForm(api, block)) {
        if (part.role === "assistant") content.push(...part.content);
        else {
          close();
          parts.push(part);
        }
      }
      if (block.type !== "opaque") content.push(block);
    }
    close();
    return parts;
  });
}

/** The messages that an item of the client's API is for other APIs; none for a block that every API knows. */
function functionForm(api: Api, block: AssistantContent): readonly AgentMessage[] {
  if (block.type !== "opaque" || !isObject(block.value)) return [];
  const { input } = api.clientTools?.asFunctions({ input: [block.value] }) ?? { input: [block.value] };
  return messagesOf(api, input);
}
