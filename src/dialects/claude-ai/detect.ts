import type { Sample } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";

const SURE = 0.95;
const EMPTY = 0.8;

/** A conversation, or an array of them: an object with `chat_messages`. */
export function detect({ document }: Sample): number {
  const conversations: unknown[] = Array.isArray(document) ? document.slice(0, 20) : [document];
  const scores = conversations.map(scoreOf);
  return scores.length === 0 ? 0 : Math.max(...scores);
}

function scoreOf(value: unknown): number {
  if (!isObject(value) || !Array.isArray(value["chat_messages"])) return 0;
  const [first]: unknown[] = value["chat_messages"];
  if (first === undefined) return EMPTY;
  return isObject(first) && isString(first["sender"]) ? SURE : 0;
}
