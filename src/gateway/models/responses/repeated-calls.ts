import { isObject, sameJson } from "../../../core/json/value.js";
import { isSynthesised } from "../../../core/message/neutral.js";
import type { AgentMessage, AssistantContent, ToolCall } from "../../../core/types.js";

/**
 * Replaces calls that a request repeats by the stored answer that made them; undefined if there are none. In a loop after
 * `previous_response_id`, the AI SDK repeats the calls of each step without the reasoning before them, which models that sign
 * their thinking reject.
 */
export function restoreRepeatedCalls(
  messages: readonly AgentMessage[],
  stored: readonly AgentMessage[],
): readonly AgentMessage[] | undefined {
  let isRestored = false;
  const restored = messages.map((message) => {
    const answer = stored.findLast((one) => isRepeated(message, one));
    if (answer !== undefined) isRestored = true;
    return answer ?? message;
  });
  return isRestored ? restored : undefined;
}

/** Whether a message of a request has the calls of a stored answer, and nothing else but references. */
function isRepeated(message: AgentMessage, answer: AgentMessage): boolean {
  if (message.role !== "assistant" || answer.role !== "assistant") return false;
  if (!isSynthesised(message, "/model") || isSynthesised(answer, "/model")) return false;
  const calls = message.content.filter((block) => block.type === "toolCall");
  const own = answer.content.filter((block) => block.type === "toolCall");
  const hasOnlyCalls = message.content.every((block) => block.type === "toolCall" || isReference(block));
  return (
    hasOnlyCalls &&
    calls.length > 0 &&
    calls.length === own.length &&
    calls.every((call, index) => isSame(call, own[index]))
  );
}

/** Such as a reference to a call of the provider's own tools. */
function isReference(block: AssistantContent): boolean {
  return block.type === "opaque" && isObject(block.value) && block.value["type"] === "item_reference";
}

function isSame({ id, name, arguments: args }: ToolCall, other: ToolCall | undefined): boolean {
  return id === other?.id && name === other.name && sameJson(args, other.arguments);
}
