import type { AgentMessage, Loss, Message } from "../../core/types.js";
import { beginWithUser } from "./alternate.js";
import { fitContent, type Target } from "./content.js";
import type { Entry } from "./entry.js";
import { fitIds } from "./ids.js";
import { fitNames, ToolNames } from "./names.js";
import { pair } from "./pair.js";
import { select } from "./select.js";

/**
 * Makes any conversation acceptable to a model: whatever model it was held with, however it ended, whatever is broken in
 * it. Each change is reported, with a pointer into the context (`/messages/3/content/0`).
 */
export function adjust(
  messages: readonly AgentMessage[],
  target: Target,
  report: (loss: Loss) => void,
): Message[] {
  return adjustEntries(messages, target, report).map(({ message }) => message);
}

/** The same, with the place in the context that each message comes from. */
export function adjustEntries(
  messages: readonly AgentMessage[],
  target: Target,
  report: (loss: Loss) => void,
): Entry[] {
  const selected = select(messages, report);
  const fitted = fitContent(selected, target, report);
  const named = fitNames(pair(fitted, report), target.names ?? new ToolNames(target.rules.toolName), report);
  const paired = fitIds(named, target.rules.toolId, report);
  return target.rules.alternate ? beginWithUser(paired, report) : paired;
}
