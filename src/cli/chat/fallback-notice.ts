import { isBroken } from "../../core/message/failure.js";
import { fallbackText } from "../../core/message/fallbacks.js";
import type { AgentMessage } from "../../core/types.js";
import { plain } from "../sessions/plain.js";

/** Names the model of a list that answered, and why those before it did not; undefined if the first one did. */
export function fallbackNotice(message: AgentMessage): string | undefined {
  if (message.role !== "assistant" || isBroken(message)) return undefined;
  const text = fallbackText(message);
  return text === undefined ? undefined : plain(`${message.provider}/${message.model} answered ${text}`);
}
