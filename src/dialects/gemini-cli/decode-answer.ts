import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { type CountFields, countedUsage } from "../../core/message/counted-usage.js";
import { impliedStop } from "../../core/message/neutral.js";
import { emptyUsage } from "../../core/message/usage.js";
import { type ResponseGroup, responsesIn } from "../../core/records/content-parts.js";
import { differencesOf } from "../../core/records/differences.js";
import { unexpected } from "../../core/records/unexpected.js";
import type {
  AssistantContent,
  AssistantMessage,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
} from "../../core/types.js";
import {
  answerRecord,
  callRecord,
  callsById,
  contentOf,
  pairCalls,
  strayRecord,
  thoughtRecord,
} from "./encode-answer.js";
import { timeIn } from "./frame.js";
import { addNotes, extWith, readAnswerPart, readResponse, readUserPart } from "./notes.js";
import { API, PROVIDER } from "./wire.js";

/** A line, with its pointer in the unit. */
export interface UnitLine {
  record: JsonRecord;
  at: string;
  index: number;
}

export interface Answer {
  message: AssistantMessage;
  /** The results in the records of its calls. */
  stored: ToolResultMessage[];
  /** Its line as we would write it. */
  ours: JsonObject;
}

/** An answer and the results in it. `last` is the line before. */
export function readAnswer({ record, at }: UnitLine, last: JsonRecord | undefined): Answer {
  const parts = partsIn(record["content"], `${at}/content`);
  const entries = entriesIn(record["toolCalls"], `${at}/toolCalls`);
  const body = parts.map(readAnswerPart);
  // Content with calls or thoughts has all of them; otherwise they are beside it.
  const isSplit = !body.some(({ type }) => type === "toolCall" || type === "thinking");
  const thoughts = isSplit ? thoughtsIn(record["thoughts"]) : [];
  const split: AssistantContent[] = [
    ...thoughts.map(readThought),
    ...body,
    ...entries.map((entry, index) => readCall(entry, `${at}/toolCalls/${index}`)),
  ];
  const content = isSplit ? split : body;
  const form = isSplit && content.length > body.length ? { form: "fields" } : {};
  const message = answerOf(record, content, { ...form, ...shapeOf(record["content"], body) });
  const results = entries.map((entry) => readStored(entry, message));
  const stored = results.filter((result) => result !== undefined);
  noteBlocks(message, thoughts, entries, results);
  const ours = answerRecord(message, stored, last);
  return { message, stored, ours };
}

function partsIn(content: unknown, at: string): unknown[] {
  if (content === undefined || content === null || content === "") return [];
  if (isString(content) || isObject(content)) return [isString(content) ? { text: content } : content];
  if (Array.isArray(content)) return content;
  throw unexpected(at, "text or a list of parts", content);
}

function entriesIn(calls: unknown, at: string): JsonObject[] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) throw unexpected(at, "a list of calls", calls);
  return calls.map((call: unknown, index) => {
    if (isObject(call)) return call;
    throw unexpected(`${at}/${index}`, "a call", call);
  });
}

function shapeOf(content: unknown, body: readonly AssistantContent[]): { shape?: string } {
  if (isObject(content)) return { shape: "part" };
  return Array.isArray(content) && !Array.isArray(contentOf(body, true, undefined)) ? { shape: "list" } : {};
}

/** The summaries of thoughts; none if one has an unknown form. */
function thoughtsIn(thoughts: unknown): JsonObject[] {
  if (!Array.isArray(thoughts)) return [];
  const known = thoughts.filter((thought) => isObject(thought) && isString(thought["description"]));
  return known.length === thoughts.length ? known : [];
}

function readThought({ subject, description }: JsonObject): ThinkingContent {
  const text = String(description);
  return {
    type: "thinking",
    thinking: isString(subject) && subject !== "" ? `**${subject}** ${text}` : text,
  };
}

function readCall({ id, name, args }: JsonObject, at: string): ToolCall {
  if (!isString(name)) throw unexpected(`${at}/name`, "the name of a tool", name);
  return { type: "toolCall", id: isString(id) ? id : "", name, arguments: isObject(args) ? args : {} };
}

function answerOf(record: JsonRecord, content: AssistantContent[], notes: object): AssistantMessage {
  const { id, timestamp, model, tokens } = record;
  const time = timeIn(timestamp);
  const usage = countedUsage(tokens, TOKENS);
  const synthesised = [
    ...content.flatMap((block, index) =>
      block.type === "toolCall" && block.id === "" ? [`/content/${index}/id`] : [],
    ),
    ...(isString(model) ? [] : ["/model"]),
    usage === undefined ? "/usage" : "/usage/cost",
    "/stopReason",
    ...(time === undefined ? ["/timestamp"] : []),
  ];
  return {
    role: "assistant",
    content,
    api: API,
    provider: PROVIDER,
    model: isString(model) ? model : "",
    usage: usage ?? emptyUsage(),
    stopReason: impliedStop(content),
    timestamp: time ?? 0,
    ...(isString(id) ? { id } : {}),
    ...extWith(notes, synthesised),
  };
}

/** Thoughts and prompts of tools are counted separately. */
const TOKENS: CountFields = {
  prompt: ["input", "tool"],
  cached: "cached",
  output: ["output", "thoughts"],
  total: "total",
};

/** The result in the record of a call. */
function readStored(entry: JsonObject, message: AssistantMessage): ToolResultMessage | undefined {
  const { id, name, result, status, timestamp } = entry;
  if (result === undefined || result === null) return undefined;
  const isFailed = status === "error" || status === "cancelled";
  const callId = isString(id) ? id : "";
  const time = timeIn(timestamp);
  const synthesised = [
    ...(callId === "" ? ["/toolCallId"] : []),
    ...(time === undefined ? ["/timestamp"] : []),
  ];
  const base = { role: "toolResult" as const, timestamp: time ?? message.timestamp };
  const toolName = isString(name) ? name : "";
  const group = responseFor(result, callId);
  if (group !== undefined) {
    const { ext, ...read } = readResponse(group, isFailed, callId);
    const shape = isObject(result) ? { shape: "part" } : {};
    const stored: ToolResultMessage = { ...base, ...read, ...extWith({}, synthesised, ext) };
    addNotes(stored, shape);
    return stored;
  }
  const content = isString(result)
    ? result === ""
      ? []
      : [{ type: "text" as const, text: result }]
    : (Array.isArray(result) ? result : [result]).map(readUserPart);
  const shape = { shape: isString(result) ? "string" : "parts" };
  const read = { toolCallId: callId, toolName, content, isError: isFailed };
  return content.length === 0 && Array.isArray(result)
    ? undefined
    : { ...base, ...read, ...extWith(shape, synthesised) };
}

/** The response to this call; a record can also have those of parallel calls. */
function responseFor(result: unknown, callId: string): ResponseGroup | undefined {
  const groups = responsesIn(result);
  return groups?.find(({ response }) => idIn(response) === callId) ?? groups?.[0];
}

function idIn({ functionResponse }: JsonObject): unknown {
  return isObject(functionResponse) ? functionResponse["id"] : undefined;
}

/** Notes on blocks how their records differ. A result without a call has the notes on its record. */
function noteBlocks(
  message: AssistantMessage,
  thoughts: readonly JsonObject[],
  entries: readonly JsonObject[],
  results: readonly (ToolResultMessage | undefined)[],
): void {
  const thinking = message.content.filter((block) => block.type === "thinking");
  for (const [index, thought] of thoughts.entries()) {
    const block = thinking[index];
    if (block === undefined) continue;
    const notes = differencesOf(thought, thoughtRecord(block, message), true);
    if (!isEmpty(notes)) addNotes(block, { thought: notes });
  }
  const stored = results.filter((result) => result !== undefined);
  const paired = new Set(pairCalls(message, stored).values());
  const open = callsById(message);
  for (const [index, entry] of entries.entries()) {
    const result = results[index];
    if (result !== undefined && !paired.has(result)) {
      addNotes(result, { stored: differencesOf(entry, strayRecord(result, message)) });
    }
    const { id } = entry;
    const call = open.get(isString(id) ? id : "")?.shift();
    if (call === undefined) continue;
    const notes = differencesOf(entry, callRecord(call, result, message), true);
    if (!isEmpty(notes)) addNotes(call, { record: notes });
  }
}
