import type { Sample } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { lineConfidence } from "../../core/records/line-scores.js";

const NAMES = /^(session|user|assistant|tool|system|subagent|hook|skill|permission|abort)(\.|$)/;

/** 1 if some line is the start of a session, a prompt or an answer; less if all lines are only other events. */
export function detect({ lines }: Sample): number {
  return lineConfidence(lines, scoreOf);
}

function scoreOf(line: unknown): number {
  if (!isObject(line) || !isObject(line["data"]) || !isString(line["type"])) return 0;
  const { type } = line;
  if (!isString(line["id"]) || !Object.hasOwn(line, "parentId")) return NAMES.test(type) ? 0.1 : 0;
  if (type === "session.start" || type === "user.message" || type === "assistant.message") return 1;
  return NAMES.test(type) ? 0.9 : 0.3;
}
