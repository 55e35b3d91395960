import type { Sample } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { lineConfidence } from "../../core/records/line-scores.js";
import { SECONDS_END } from "../../core/time.js";

const ownRoles = new Set(["toolResult", "session", "agentComplete", "agentMessage", "compaction"]);

/** High for lines with a feature of this dialect only; low when nothing contradicts it. */
export function detect({ lines }: Sample): number {
  return lineConfidence(lines, scoreOf);
}

function scoreOf(line: unknown): number {
  if (!isObject(line) || typeof line["role"] !== "string") return 0;
  if ("toolCall" in line || "toolResult" in line || "metadata" in line || line["role"] === "tool") return 0;
  if (ownRoles.has(line["role"])) return 0.95;
  if (line["role"] === "assistant") return "usage" in line && "stopReason" in line ? 0.95 : 0.3;
  if (line["role"] === "user" && typeof line["content"] === "string") return 0.7;
  return isMilliseconds(line["timestamp"]) ? 0.5 : 0.3;
}

function isMilliseconds(value: unknown): boolean {
  return typeof value === "number" && value >= SECONDS_END;
}
