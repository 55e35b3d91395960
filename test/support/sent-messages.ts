import { showConversation, withoutSystemMessages } from "../../src/core/shown/conversation.js";
import type { AgentMessage, Loss } from "../../src/core/types.js";
import { adjust } from "../../src/providers/adjust/adjust.js";
import type { Entry } from "../../src/providers/adjust/entry.js";
import type { Target } from "../../src/providers/adjust/target.js";

/** The messages that a request to a model is made of. */
export function sentMessages(
  messages: readonly AgentMessage[],
  target: Target,
  report: (loss: Loss) => void,
): Entry["message"][] {
  const { messages: shown } = showConversation({ messages }, report);
  const fitting = target.rules.systemFirst ? withoutSystemMessages(shown, report) : shown;
  return adjust(fitting, target, report).map(({ message }) => message);
}
