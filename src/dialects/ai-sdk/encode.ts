import type { JsonRecord } from "../../core/dialect.js";
import { isNumber, isString, type JsonObject } from "../../core/json/value.js";
import { isSilent } from "../../core/message/failure.js";
import { withFields } from "../../core/records/deviation.js";
import { promptText } from "../../core/shown/system-prompt.js";
import type { AgentMessage, AssistantMessage, CustomMessage, ToolResultMessage } from "../../core/types.js";
import { encodeBlock } from "./blocks.js";
import { notesOf } from "./notes.js";
import { encodeResult } from "./tool-result.js";
import { isPart, NO_TOOL_PARTS, TOOL_PART } from "./wire.js";

/** Results belong to the answer or the results before them. */
export function joinsMessage(last: AgentMessage, next: AgentMessage): boolean {
  return isToolPart(next) && (isToolPart(last) || last.role === "assistant");
}

/** The records of an answer and its results, or of any other message. */
export function encode(unit: readonly AgentMessage[]): JsonRecord[] {
  const records: JsonRecord[] = [];
  let answer: unknown[] | undefined;
  let parts: unknown[] | undefined;
  for (const message of unit) {
    if (!isToolPart(message)) {
      parts = undefined;
      const record = recordOf(message);
      answer =
        message.role === "assistant" && Array.isArray(record?.["content"]) ? record["content"] : undefined;
      if (record !== undefined) records.push(record);
      continue;
    }
    const { inline, apart, fields } = notesOf(message);
    if (answer !== undefined && isNumber(inline) && message.role === "toolResult") {
      answer.splice(inline, 0, encodeResult(message));
      continue;
    }
    if (parts === undefined || apart === true) {
      parts = [];
      records.push(withFields({ role: "tool", content: parts }, fields));
    }
    parts.push(...partsOf(message));
  }
  return records;
}

type ToolPart = ToolResultMessage | CustomMessage;

function isToolPart(message: AgentMessage): message is ToolPart {
  if (message.role !== "custom") return message.role === "toolResult";
  return message.customType === TOOL_PART || message.customType === NO_TOOL_PARTS;
}

function partsOf(message: ToolPart): unknown[] {
  if (message.role === "toolResult") return [encodeResult(message)];
  return message.customType === TOOL_PART && message.data !== undefined ? [message.data] : [];
}

function recordOf(message: AgentMessage): JsonRecord | undefined {
  const { fields, empty } = notesOf(message);
  switch (message.role) {
    case "system":
      return withFields({ role: "system", content: promptText(message) }, fields);
    case "user": {
      const { content } = message;
      const written = isString(content) ? content : content.flatMap((block) => encodeBlock(block, ""));
      return written.length === 0 && !isString(written) && empty !== true
        ? undefined
        : withFields({ role: "user", content: written }, fields);
    }
    case "assistant":
      return isSilent(message) ? undefined : withFields(answerOf(message), fields);
    default:
      return undefined;
  }
}

/** The content is a string again if it was one and still can be. */
function answerOf(message: AssistantMessage): JsonObject {
  const content = message.content.flatMap((block) => encodeBlock(block, message.api));
  const [first, ...others] = content;
  const isPlain = others.length === 0 && isPart(first, "text") && Object.keys(first).length === 2;
  const isText = notesOf(message)["string"] === true && isPlain;
  return { role: "assistant", content: isText ? first["text"] : content };
}
