import type { Sample } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { lineConfidence } from "../../core/records/line-scores.js";
import { TYPES } from "./wire.js";

/** Sure if a line has Google's parts in the frame of a line. */
export function detect({ lines }: Sample): number {
  return lineConfidence(lines, scoreOf);
}

function scoreOf(line: unknown): number {
  if (!isObject(line) || !("parentUuid" in line) || !TYPES.has(line["type"])) return 0;
  if (!isString(line["uuid"]) || !isString(line["sessionId"])) return 0;
  const { message, type, systemPayload } = line;
  if (type === "system") return isObject(systemPayload) ? 0.9 : 0.5;
  return isObject(message) && Array.isArray(message["parts"]) ? 1 : 0;
}
