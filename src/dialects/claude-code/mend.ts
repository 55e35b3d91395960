import type { JsonRecord, Mended } from "../../core/dialect.js";
import { isNumber, isObject, type JsonObject } from "../../core/json/value.js";
import { mendArguments, mendContent, mendTime } from "../../core/message/mend-message.js";
import { isoTime } from "../../core/time.js";

/** Corrects a time that is a number, an answer's content that is text, and a call's input that is JSON text. */
export function mend(record: JsonRecord): Mended | undefined {
  const changes: string[] = [];
  const mended: JsonRecord = { ...record };
  const { timestamp, type, message } = record;
  if (isNumber(timestamp)) {
    mended["timestamp"] = isoTime(mendTime(timestamp, []));
    changes.push("The time was a number; ISO text was written.");
  }
  if (type === "assistant" && isObject(message)) mended["message"] = mendAnswer(message, changes);
  return changes.length > 0 ? { records: [mended], changes } : undefined;
}

function mendAnswer(message: JsonObject, changes: string[]): JsonObject {
  const content = mendContent(message["content"], changes);
  if (!Array.isArray(content)) return message;
  return { ...message, content: content.map((block: unknown) => mendCall(block, changes)) };
}

function mendCall(block: unknown, changes: string[]): unknown {
  if (!isObject(block) || block["type"] !== "tool_use") return block;
  const input = mendArguments(block["input"], block["id"], changes);
  return input === block["input"] ? block : { ...block, input };
}
