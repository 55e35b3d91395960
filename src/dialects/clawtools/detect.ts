import type { Sample } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { hasType } from "./wire.js";

const EMPTY = 0.3;
const OTHER_FORMAT = 0.1;
const PLAUSIBLE = 0.6;
const SURE = 0.95;

/** An array of messages is plausible; a tool call or result in this dialect's form makes it sure. */
export function detect({ document }: Sample): number {
  if (!Array.isArray(document)) return 0;
  if (document.length === 0) return EMPTY;
  const scores = document.map(scoreOf);
  if (scores.includes(0)) return 0;
  if (scores.includes(SURE)) return SURE;
  return scores.includes(OTHER_FORMAT) ? 0 : PLAUSIBLE;
}

/** An array with a provider's shapes is most likely the messages of a request, without the request. */
export function advise({ document }: Sample): string | undefined {
  if (!Array.isArray(document) || document.length === 0) return undefined;
  const scores = document.map(scoreOf);
  if (scores.includes(0) || !scores.includes(OTHER_FORMAT)) return undefined;
  return 'for OpenAI or Anthropic messages write {"model": "…", "messages": […]}; for clawtools messages use --from clawtools';
}

function scoreOf(message: unknown): number {
  if (!isObject(message) || typeof message["role"] !== "string" || "parts" in message) return 0;
  const { role, content } = message;
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  if (role === "toolResult" || blocks.some((block) => hasType(block, "toolCall"))) return SURE;
  const isOther = role === "tool" || "tool_calls" in message || blocks.some(isOtherBlock);
  return isOther ? OTHER_FORMAT : PLAUSIBLE;
}

function isOtherBlock(block: unknown): boolean {
  return hasType(block, "tool_use") || hasType(block, "tool_result");
}
