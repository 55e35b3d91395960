import type { Sample } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { lineConfidence } from "../../core/records/line-scores.js";
import { kindOf, TYPES } from "./wire.js";

/** Certain if there is a header, because Gemini CLI ignores unknown lines. Lines of messages alone are less certain. */
export function detect({ lines }: Sample): number {
  return lines.some((line) => scoreOf(line) === 1) ? 1 : lineConfidence(lines, scoreOf);
}

function scoreOf(line: unknown): number {
  if (!isObject(line)) return 0;
  switch (kindOf(line)) {
    case "header":
      return isString(line["projectHash"]) ? 1 : 0.5;
    case "message":
      if (!isString(line["type"]) || !("content" in line)) return 0;
      return TYPES.has(line["type"]) ? 0.7 : 0.3;
    case "set":
    case "carried":
      return 0.6;
    case "other":
      return isString(line["$rewindTo"]) ? 0.6 : 0;
  }
}
