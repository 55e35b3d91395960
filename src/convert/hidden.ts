import type { Dialect } from "../core/dialect.js";
import { contextOf } from "../core/shown/context-of.js";
import { isUnseen } from "../core/shown/system-prompt.js";
import type { AgentMessage, Loss } from "../core/types.js";
import type { SourceMessage } from "./decode.js";
import type { WrittenMessage } from "./ledger.js";

/** The messages for a model that the target only carries: nothing of them is lost, but its program does not show them. */
export function hiddenMessages(
  source: readonly SourceMessage[],
  back: readonly WrittenMessage[],
  { isCarrier, name }: Dialect,
  partners: readonly (number | undefined)[],
): Loss[] {
  if (isCarrier === undefined) return [];
  const losses: Loss[] = [];
  let index = 0;
  for (const { message, origin } of source) {
    const record = back[partners[index++] ?? -1]?.record;
    if (record === undefined || !isCarrier(record) || !isForModel(message)) continue;
    const why = `${name} has no such message: it is kept, but the program does not show it to its model`;
    losses.push({ at: origin?.at ?? "", what: `the ${message.role} message`, why, severity: "approximated" });
  }
  return losses;
}

/** Whether a model is shown something of a message. */
function isForModel(message: AgentMessage): boolean {
  if (isUnseen(message)) return false;
  return contextOf([message]).some((shown) => {
    const content: unknown = Reflect.get(shown, "content");
    return (typeof content === "string" || Array.isArray(content)) && content.length > 0;
  });
}
