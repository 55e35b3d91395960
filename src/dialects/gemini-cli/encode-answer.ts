import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { callIdOf } from "../../core/records/content-parts.js";
import { restore } from "../../core/records/deviation.js";
import { isoTime } from "../../core/time.js";
import type {
  AssistantContent,
  AssistantMessage,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  Usage,
} from "../../core/types.js";
import { frameOf } from "./frame.js";
import { notesOf, writeParts, writeResponse } from "./notes.js";
import { API } from "./wire.js";

/** The line of an answer, as we write it. `stored` are the results in the records of its calls. */
export function answerRecord(
  message: AssistantMessage,
  stored: readonly ToolResultMessage[],
  last: JsonRecord | undefined,
): JsonObject {
  const { content, usage, model, api } = message;
  const { shape } = notesOf(message);
  const isSplit = isSplitForm(message);
  const calls = callRecords(message, stored);
  return {
    ...frameOf(message, last),
    type: "gemini",
    content: contentOf(isSplit ? content.filter(isBody) : content, api === API, shape),
    ...(isSplit
      ? { thoughts: content.filter(isThinking).map((block) => thoughtRecord(block, message)) }
      : {}),
    ...(isSynthesised(message, "/usage") ? {} : { tokens: tokensOf(usage) }),
    ...(isSynthesised(message, "/model") ? {} : { model }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
  };
}

/** Whether thinking and calls are beside the content. We write them in it, because only there signatures have a place. */
function isSplitForm(message: AssistantMessage): boolean {
  return notesOf(message)["form"] === "fields";
}

function isThinking(block: AssistantContent): block is ThinkingContent {
  return block.type === "thinking";
}

function isBody(block: AssistantContent): boolean {
  return block.type !== "thinking" && block.type !== "toolCall";
}

function isCall(block: AssistantContent): block is ToolCall {
  return block.type === "toolCall";
}

/** One non-empty text is a string, and no content an empty one. */
export function contentOf(blocks: readonly AssistantContent[], isSigned: boolean, shape: unknown): unknown {
  const parts = writeParts(blocks, isSigned);
  const [first] = parts;
  if (shape === "list") return parts;
  if (shape === "part" && parts.length === 1) return first;
  if (parts.length === 0) return "";
  return parts.length === 1 && isPlainText(first) ? first["text"] : parts;
}

function isPlainText(part: unknown): part is { text: string } {
  if (!isObject(part) || Object.keys(part).length !== 1) return false;
  return isString(part["text"]) && part["text"] !== "";
}

/** Gemini CLI shows the subject in bold, before the description. */
export function thoughtRecord(block: ThinkingContent, message: AssistantMessage): JsonObject {
  const ours = { subject: "", description: block.thinking, timestamp: isoTime(message.timestamp) };
  return restore(ours, notesOf(block)["thought"]);
}

/** Cached tokens are part of the input. */
function tokensOf({ input, output, cacheRead, cacheWrite, totalTokens }: Usage): JsonObject {
  return {
    input: input + cacheRead + cacheWrite,
    output,
    cached: cacheRead,
    thoughts: 0,
    tool: 0,
    total: totalTokens,
  };
}

/** The calls of an answer by id, in order; several can have the same id. */
export function callsById({ content }: AssistantMessage): Map<string, ToolCall[]> {
  const calls = new Map<string, ToolCall[]>();
  for (const call of content.filter(isCall)) {
    const same = calls.get(call.id);
    if (same === undefined) calls.set(call.id, [call]);
    else same.push(call);
  }
  return calls;
}

/** Each stored result with its call. */
export function pairCalls(
  message: AssistantMessage,
  stored: readonly ToolResultMessage[],
): Map<ToolCall, ToolResultMessage> {
  const open = callsById(message);
  const pairs = new Map<ToolCall, ToolResultMessage>();
  for (const result of stored) {
    const call = open.get(result.toolCallId)?.shift();
    if (call !== undefined) pairs.set(call, result);
  }
  return pairs;
}

/** The content has the order of the calls, so the records have the order of the results. */
function callRecords(message: AssistantMessage, stored: readonly ToolResultMessage[]): JsonObject[] {
  const pairs = pairCalls(message, stored);
  const calls = message.content.filter(isCall);
  const answered = new Set(isSplitForm(message) ? [] : pairs.keys());
  const others = calls.filter((call) => !answered.has(call));
  const records = [...answered, ...others].map((call) =>
    restore(callRecord(call, pairs.get(call), message), notesOf(call)["record"]),
  );
  const paired = new Set(pairs.values());
  const strays = stored.filter((result) => !paired.has(result));
  return records.concat(
    strays.map((result) => restore(strayRecord(result, message), notesOf(result)["stored"])),
  );
}

/** The record of a call that the content does not have. */
export function strayRecord(result: ToolResultMessage, message: AssistantMessage): JsonObject {
  const { toolCallId: id, toolName: name } = result;
  return callRecord({ type: "toolCall", id, name, arguments: {} }, result, message);
}

export function callRecord(
  call: ToolCall,
  result: ToolResultMessage | undefined,
  message: AssistantMessage,
): JsonObject {
  const { id, name, arguments: args } = call;
  const timestamp = isoTime((result ?? message).timestamp);
  const base = { ...callIdOf(id), name, args };
  if (result === undefined) return { ...base, status: "scheduled", timestamp };
  const status = result.isError ? "error" : "success";
  return { ...base, result: storedResult(result), status, timestamp };
}

function storedResult(result: ToolResultMessage): unknown {
  const { shape } = notesOf(result);
  if (shape === "string") {
    return result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  }
  if (shape === "parts") return writeParts(result.content, false);
  const parts = writeResponse(result);
  return shape === "part" ? parts[0] : parts;
}

/** The copy of the results that Gemini CLI writes after the answer. */
export function echoRecord(main: JsonRecord, stored: readonly ToolResultMessage[]): JsonObject {
  const { id, timestamp } = main;
  return { id: `${String(id)}_response`, timestamp, type: "user", content: stored.flatMap(writeResponse) };
}
