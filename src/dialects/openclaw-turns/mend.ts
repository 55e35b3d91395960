import type { JsonRecord, Mended } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { mendArguments, mendContent, mendTime } from "../../core/message/mend-message.js";
import { isTurnRole } from "./wire.js";

/** The corrected turn. Seconds and milliseconds are both valid. */
export function mend(turn: JsonRecord): Mended | undefined {
  const changes: string[] = [];
  const { timestamp, content, toolCall } = turn;
  const mended: JsonRecord = { ...turn };
  if (typeof timestamp === "string") mended["timestamp"] = mendTime(timestamp, changes);
  if (!isTurnRole(turn["role"])) return undefined;
  if (content === undefined || content === null) {
    changes.push("The turn had no content; an empty array was written.");
    mended["content"] = [];
  } else mended["content"] = mendContent(content, changes);
  if (isObject(toolCall)) {
    const args = mendArguments(toolCall["arguments"], toolCall["id"], changes);
    mended["toolCall"] = { ...toolCall, arguments: args };
  }
  return changes.length > 0 ? { records: [mended], changes } : undefined;
}
