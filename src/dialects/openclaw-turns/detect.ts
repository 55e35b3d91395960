import type { JsonRecord, Sample } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { lineConfidence } from "../../core/records/line-scores.js";
import { SECONDS_END } from "../../core/time.js";
import { isTurnRole } from "./wire.js";

const ownFields = ["toolCall", "toolResult", "metadata", "mediaUrls", "_compacted"];
const otherFields = ["usage", "stopReason", "api", "toolCallId", "toolName", "type"];

/** High for lines with a feature of this dialect only; low when nothing contradicts it. */
export function detect({ lines }: Sample): number {
  return lineConfidence(lines, scoreOf);
}

function scoreOf(line: unknown): number {
  if (!isObject(line) || typeof line["role"] !== "string" || "message" in line) return 0;
  if (ownFields.some((field) => field in line) || line["role"] === "tool") return 0.95;
  if (otherFields.some((field) => field in line)) return 0;
  if (!isTurnRole(line["role"]) || !Array.isArray(line["content"])) return 0.1;
  if (line["content"].some(isOtherBlock)) return 0;
  return line["role"] === "assistant" || isSeconds(line) ? 0.6 : 0.4;
}

/** A block that has another shape or place in this dialect. */
function isOtherBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  return block["type"] === "toolCall" || block["type"] === "thinking" || "mimeType" in block;
}

function isSeconds({ timestamp }: JsonRecord): boolean {
  return typeof timestamp === "number" && timestamp < SECONDS_END;
}
