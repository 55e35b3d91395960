import type { JsonRecord, Mended } from "../../core/dialect.js";
import { isNumber, isObject, type JsonObject } from "../../core/json/value.js";
import { mendTime } from "../../core/message/mend-message.js";
import { isoTime } from "../../core/time.js";

/** Corrects what makes Codex ignore a line: a time as a number, arguments and outputs as objects, other names of texts. */
export function mend(record: JsonRecord): Mended | undefined {
  const changes: string[] = [];
  const mended: JsonRecord = { ...record };
  const { timestamp, type, payload } = record;
  if (isNumber(timestamp)) {
    mended["timestamp"] = isoTime(mendTime(timestamp, []));
    changes.push("The time was a number; ISO text was written.");
  }
  if (type === "response_item" && isObject(payload)) mended["payload"] = mendItem(payload, changes);
  return changes.length > 0 ? { records: [mended], changes } : undefined;
}

function mendItem(item: JsonObject, changes: string[]): JsonObject {
  const mended: JsonObject = { ...item };
  const { type, role, arguments: given, output, content } = item;
  if (type === "function_call" && isObject(given)) {
    mended["arguments"] = JSON.stringify(given);
    changes.push("The arguments of a call were an object; JSON text was written.");
  }
  if ((type === "function_call_output" || type === "custom_tool_call_output") && isObject(output)) {
    mended["output"] = JSON.stringify(output);
    changes.push("The output of a call was an object; JSON text was written.");
  }
  if (type === "message" && role === "system") {
    mended["role"] = "developer";
    changes.push("The role system became developer.");
  }
  if (type === "message" && Array.isArray(content)) {
    const name = role === "assistant" ? "output_text" : "input_text";
    mended["content"] = content.map((part: unknown) => mendPart(part, name, changes));
  }
  return mended;
}

function mendPart(part: unknown, type: string, changes: string[]): unknown {
  if (!isObject(part) || part["type"] !== "text") return part;
  changes.push(`The type text became ${type}.`);
  return { ...part, type };
}
