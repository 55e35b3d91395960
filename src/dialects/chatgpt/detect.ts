import type { Sample } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";

const SURE = 0.95;
const EMPTY = 0.8;

/** A conversation, or an array of them: an object with a mapping of nodes. */
export function detect({ document }: Sample): number {
  const conversations: unknown[] = Array.isArray(document) ? document.slice(0, 20) : [document];
  const scores = conversations.map(scoreOf);
  return scores.length === 0 ? 0 : Math.max(...scores);
}

function scoreOf(value: unknown): number {
  if (!isObject(value) || !isObject(value["mapping"])) return 0;
  const [node] = Object.values(value["mapping"]);
  if (node === undefined) return "current_node" in value || "conversation_id" in value ? EMPTY : 0;
  return isObject(node) && ("message" in node || "children" in node) && "parent" in node ? SURE : 0;
}
