import type { Sample } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { lineConfidence } from "../../core/records/line-scores.js";
import { isBareItem, kindOf, LINE_TYPES } from "./wire.js";

/** 1 if some line has an envelope with a known type; less for the files of early 2025, whose lines have none. */
export function detect({ lines }: Sample): number {
  return lineConfidence(lines, scoreOf);
}

function scoreOf(line: unknown): number {
  if (!isObject(line)) return 0;
  const { type, payload, record_type } = line;
  if (payload !== undefined) return LINE_TYPES.has(type) ? 1 : isString(type) ? 0.1 : 0;
  if (kindOf(line) === "session") return "instructions" in line || "git" in line ? 0.8 : 0.1;
  if (record_type === "state") return 0.7;
  return isBareItem(line) && isString(type) ? 0.3 : 0;
}
