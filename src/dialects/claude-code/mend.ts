import type { JsonRecord, Mended } from "../../core/dialect.js";
import { isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { mendArguments, mendContent, mendTime } from "../../core/message/mend-message.js";
import { isoTime } from "../../core/time.js";
import { callId } from "./blocks.js";

/**
 * Corrects a time that is a number, an answer's content that is text, a call's input that is JSON text, and ids of calls that the
 * API refuses: a result that is added later has the id that we write.
 */
export function mend(record: JsonRecord): Mended | undefined {
  const changes: string[] = [];
  const mended: JsonRecord = { ...record };
  const { timestamp, type, message } = record;
  if (isNumber(timestamp)) {
    mended["timestamp"] = isoTime(mendTime(timestamp, []));
    changes.push("The time was a number; ISO text was written.");
  }
  if (type === "assistant" && isObject(message)) mended["message"] = mendAnswer(message, changes);
  if (type === "user" && isObject(message)) mended["message"] = mendResults(message, changes);
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
  const mended = mendCallId(block, "id", changes);
  return input === mended["input"] ? mended : { ...mended, input };
}

function mendResults(message: JsonObject, changes: string[]): JsonObject {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  return {
    ...message,
    content: content.map((block: unknown) =>
      isObject(block) && block["type"] === "tool_result" ? mendCallId(block, "tool_use_id", changes) : block,
    ),
  };
}

function mendCallId(block: JsonObject, field: string, changes: string[]): JsonObject {
  const id = block[field];
  if (!isString(id) || callId(id) === id) return block;
  changes.push(
    `The API refuses the call id ${JSON.stringify(id)}; ${JSON.stringify(callId(id))} was written.`,
  );
  return { ...block, [field]: callId(id) };
}
