import type { JsonRecord } from "../../core/dialect.js";
import { isString, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { onlyText } from "../../core/message/only-text.js";
import type {
  AssistantMessage,
  SystemMessage,
  ToolResultMessage,
  Usage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { type WrittenItem, writeItems, writeParts } from "./blocks.js";
import { notesOf } from "./notes.js";
import { timeText } from "./time.js";
import { contextOf, modelIn } from "./wire.js";

/** A message that is written as response items. */
export type ItemMessage = UserMessage | SystemMessage | ToolResultMessage | AssistantMessage;

/**
 * The lines of a message, and a letter for each of them:
 *
 * - `i`: a response item; `b`: one without an envelope;
 * - `e`: the event that repeats its text, after a user's message and before an answer's text;
 * - `t`: the model, before an answer of another one than before;
 * - `c`: the tokens of an answer.
 */
interface Lines {
  shape: string;
  records: JsonRecord[];
}

/** Where lines are written: after `last`, the line that states the session or the model, or in the history of a compaction. */
export interface Surroundings {
  last: JsonRecord | undefined;
  isHistory?: boolean;
  /** Whether to read lines without noting how they were written. */
  isPlain?: boolean;
}

/** The lines of a message as we write them; undefined if nothing of it can be written. */
export function linesOf(message: ItemMessage, surroundings: Surroundings): Lines | undefined {
  const items = itemsOf(message);
  if (items.length === 0) return undefined;
  const { shape: noted } = notesOf(message);
  const shape =
    isString(noted) && isShape(noted, items.length) ? noted : usualShape(message, items, surroundings);
  const { last } = surroundings;
  const timestamp = timeText(message, last);
  const records: JsonRecord[] = [];
  let next = 0;
  for (const mark of shape) {
    switch (mark) {
      case "t":
        records.push(line(timestamp, "turn_context", contextOf(modelOf(message))));
        break;
      case "c":
        records.push(line(timestamp, "event_msg", countOf(message)));
        break;
      case "e": {
        const item = items[message.role === "user" ? 0 : next];
        records.push(line(timestamp, "event_msg", echoOf(message, item)));
        break;
      }
      default: {
        const payload = items[next++]?.payload ?? {};
        records.push(mark === "b" ? payload : line(timestamp, "response_item", payload));
      }
    }
  }
  return { shape, records };
}

export function line(timestamp: string, type: string, payload: unknown): JsonRecord {
  return { timestamp, type, payload };
}

function isShape(noted: string, items: number): boolean {
  return /^[tiebc]+$/.test(noted) && noted.replace(/[tec]/g, "").length === items;
}

function usualShape(
  message: ItemMessage,
  items: readonly WrittenItem[],
  { last, isHistory = false }: Surroundings,
): string {
  if (isHistory) return "i".repeat(items.length);
  let shape = "";
  for (const { text = "" } of items) shape += echoed(message, text);
  if (message.role !== "assistant") return shape;
  const model = modelOf(message);
  const isNew = model !== "" && model !== modelIn(last) && !isSynthesised(message, "/model");
  return `${isNew ? "t" : ""}${shape}${isSynthesised(message, "/usage") ? "" : "c"}`;
}

function echoed({ role }: ItemMessage, text: string): string {
  if (text === "") return "i";
  return role === "user" ? "ie" : role === "assistant" ? "ei" : "i";
}

function modelOf(message: ItemMessage): string {
  return message.role === "assistant" ? message.model : "";
}

function itemsOf(message: ItemMessage): WrittenItem[] {
  switch (message.role) {
    case "assistant":
      return writeItems(message.content);
    case "toolResult":
      return [{ payload: resultItem(message) }];
    default: {
      const content = partsOf(message.content);
      if (content.length === 0 && notesOf(message)["shape"] === undefined) return [];
      const role = message.role === "user" ? "user" : "developer";
      return [{ payload: { type: "message", role, content }, text: textOf(message.content) }];
    }
  }
}

function partsOf(content: string | readonly UserContent[]): JsonObject[] {
  return isString(content) ? [{ type: "input_text", text: content }] : writeParts(content);
}

/** The text of a message, as the event after it repeats it. */
function textOf(content: string | readonly UserContent[]): string {
  if (isString(content)) return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

function echoOf({ role }: ItemMessage, item: WrittenItem | undefined): JsonObject {
  return { type: role === "user" ? "user_message" : "agent_message", message: item?.text ?? "" };
}

function resultItem(message: ToolResultMessage): JsonObject {
  const { form, listed } = notesOf(message);
  const { toolCallId: call_id, content } = message;
  const text = content.length === 0 ? "" : listed === true ? undefined : onlyText(content);
  return {
    type: form === "custom" ? "custom_tool_call_output" : "function_call_output",
    call_id,
    output: text ?? writeParts(content),
  };
}

/** Codex counts cached tokens as input. The totals of the session are not known here, so they start anew. */
function countOf(message: ItemMessage): JsonObject {
  const usage = message.role === "assistant" ? usageOf(message.usage) : {};
  return {
    type: "token_count",
    info: { total_token_usage: usage, last_token_usage: usage, model_context_window: null },
    rate_limits: null,
  };
}

function usageOf({ input, output, cacheRead, cacheWrite, totalTokens }: Usage): JsonObject {
  return {
    input_tokens: input + cacheRead + cacheWrite,
    cached_input_tokens: cacheRead,
    cache_write_input_tokens: cacheWrite,
    output_tokens: output,
    reasoning_output_tokens: 0,
    total_tokens: totalTokens,
  };
}
