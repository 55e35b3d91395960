import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { onlyText } from "../../core/message/only-text.js";
import type { SystemMessage, ToolResultMessage, UserContent, UserMessage } from "../../core/types.js";
import { partsIn, readParts } from "./blocks.js";
import { type ItemMessage, linesOf, type Surroundings } from "./encode-lines.js";
import { addNotes, extWith, lineNotes } from "./notes.js";
import { timeOf } from "./time.js";
import { isBareItem, itemIn } from "./wire.js";

/** Notes how the lines of a message differ from those that we would write, unless they are read without notes. */
export function withLineNotes(
  message: ItemMessage,
  shape: string,
  records: readonly JsonRecord[],
  surroundings: Surroundings,
): void {
  if (surroundings.isPlain === true) return;
  let ours = linesOf(message, surroundings);
  if (ours?.shape !== shape) {
    addNotes(message, { shape });
    ours = linesOf(message, surroundings);
  }
  addNotes(message, { lines: lineNotes(records, ours?.records ?? []) });
}

/** A message of a user or of the program. `echo` is the event that repeats it, if the next line is that. */
export function readMessage(
  record: JsonRecord,
  index: number,
  surroundings: Surroundings,
  echo?: JsonRecord,
): UserMessage | SystemMessage {
  const item = itemIn(record) ?? {};
  const isBare = isBareItem(record);
  const parts = partsIn(item["content"], isBare ? `/${index}/content` : `/${index}/payload/content`);
  const time = timeOf(record);
  const message: UserMessage | SystemMessage = {
    role: item["role"] === "user" ? "user" : "system",
    content: contentOf(parts),
    timestamp: time ?? 0,
    ...extWith({}, time === undefined ? ["/timestamp"] : []),
  };
  const shape = `${isBare ? "b" : "i"}${echo === undefined ? "" : "e"}`;
  withLineNotes(message, shape, echo === undefined ? [record] : [record, echo], surroundings);
  return message;
}

function contentOf(parts: readonly JsonObject[]): string | UserContent[] {
  const blocks = readParts(parts);
  return onlyText(blocks) ?? blocks;
}

/** The result of a call. Codex records neither the tool nor whether it failed. */
export function readResult(record: JsonRecord, surroundings: Surroundings): ToolResultMessage {
  const item = itemIn(record) ?? {};
  const { type, call_id: toolCallId, name, output } = item;
  const content = readOutput(output);
  const time = timeOf(record);
  const notes: JsonObject = {};
  if (type === "custom_tool_call_output") notes["form"] = "custom";
  if (Array.isArray(output) && onlyText(content) !== undefined) notes["listed"] = true;
  const synthesised = isString(name) ? ["/isError"] : ["/toolName", "/isError"];
  if (time === undefined) synthesised.push("/timestamp");
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId: String(toolCallId),
    toolName: isString(name) ? name : "",
    content,
    isError: false,
    timestamp: time ?? 0,
    ...extWith(notes, synthesised),
  };
  withLineNotes(message, isBareItem(record) ? "b" : "i", [record], surroundings);
  return message;
}

/** An output that is neither text nor a list of parts is shown as JSON. */
function readOutput(output: unknown): UserContent[] {
  if (output === undefined || output === "") return [];
  if (isString(output)) return [{ type: "text", text: output }];
  if (Array.isArray(output) && output.every((part): part is JsonObject => isObject(part))) {
    return readParts(output);
  }
  return [{ type: "text", text: JSON.stringify(output) }];
}
