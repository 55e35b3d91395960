import type { JsonRecord } from "../../core/dialect.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { release } from "../../core/records/admit.js";
import { isAbsent, withFields } from "../../core/records/deviation.js";
import type { AgentMessage } from "../../core/types.js";
import { writeBlock, writeResultBlock } from "./blocks.js";
import { notesOf } from "./notes.js";
import { isResultText, NAME } from "./wire.js";

/** Fields of the model that are written only if the source record had them. */
const beyond = new Set([
  "timestamp",
  "api",
  "provider",
  "model",
  "usage",
  "stopReason",
  "errorMessage",
  "id",
  "sender",
]);

export function encode(unit: readonly AgentMessage[]): JsonRecord[] {
  return unit.map(recordOf).filter((record) => record !== undefined);
}

function recordOf(message: AgentMessage): JsonRecord | undefined {
  switch (message.role) {
    case "user": {
      const { role, content } = message;
      const written = typeof content === "string" ? content : content.flatMap(writeBlock);
      return restoreOriginalForm({ role, content: written }, message);
    }
    case "assistant":
      return restoreOriginalForm(
        { role: "assistant", content: message.content.flatMap(writeBlock) },
        message,
      );
    case "toolResult": {
      const { role, toolCallId, toolName, content, details, isError } = message;
      const written = { role, toolCallId, toolName, content: content.flatMap(writeResultBlock), isError };
      return restoreOriginalForm(details === undefined ? written : { ...written, details }, message);
    }
    default:
      return strayRecord(message);
  }
}

/** Undoes the deviations noted when the message was read from this format. */
function restoreOriginalForm(record: JsonRecord, message: AgentMessage): JsonRecord {
  const notes = notesOf(message);
  const { content: form, also, fields } = notes;
  const written = { ...withFields(record, fields), content: inForm(form, record["content"]) };
  for (const key of Object.keys(record)) {
    if (!isAbsent(notes, key)) continue;
    if (isNeutral(record[key]) || isSynthesised(message, `/${key}`)) Reflect.deleteProperty(written, key);
  }
  if (!Array.isArray(also)) return written;
  const present = Object.entries(message).filter(([key]) => beyond.has(key) && also.includes(key));
  return { ...written, ...Object.fromEntries(present) };
}

/** The content in its original form, if that form can still represent it. */
function inForm(form: unknown, content: unknown): unknown {
  if (!Array.isArray(content) || (form !== "string" && form !== "null")) return content;
  const [first]: unknown[] = content;
  if (form === "null") return content.length === 0 ? null : content;
  const isPlain = content.length === 1 && isResultText(first) && Object.keys(first).length === 2;
  return isPlain ? first.text : content;
}

function isNeutral(value: unknown): boolean {
  return value === "" || value === false || (Array.isArray(value) && value.length === 0);
}

/** A role that the format does not have is written only if it was read from this format. */
function strayRecord(message: AgentMessage): JsonRecord | undefined {
  const { stray, fields } = notesOf(message);
  if (stray !== true) return undefined;
  const { ext: _, ...record } = release(message, NAME);
  if (isSynthesised(message, "/timestamp")) Reflect.deleteProperty(record, "timestamp");
  return withFields(record, fields);
}
