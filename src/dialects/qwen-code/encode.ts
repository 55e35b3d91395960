import type { JsonRecord } from "../../core/dialect.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { noteOf } from "../../core/message/notes.js";
import { restore } from "../../core/records/deviation.js";
import { carriedOver } from "../../core/shown/compaction.js";
import type {
  AgentMessage,
  AssistantMessage,
  CompactionMessage,
  CustomMessage,
  SessionMessage,
  ToolResultMessage,
} from "../../core/types.js";
import { uuidFor } from "../../core/uuid.js";
import { writeAnswerContent, writeHistory, writeUsage, writeUserContent } from "./blocks.js";
import { firstFields, frameOf } from "./frame.js";
import { notesOf, othersIn, restoreLine, writeResponse } from "./notes.js";
import { CARRIED, COMPRESSION, FRAME, isLink, NAME, TITLE } from "./wire.js";

const PREFIX = `${NAME}/`;

export function customTypeOf(subtype: string): string {
  return `${PREFIX}${subtype}`;
}

/** Answers with the same id would be read as one. A session has no line of its own. */
export function joinsMessage(last: AgentMessage, next: AgentMessage, first: AgentMessage): boolean {
  if (last.role === "session" || isMerged(next)) return true;
  return (
    next.role === "assistant" && first.role === "assistant" && next.id !== undefined && next.id === first.id
  );
}

function isMerged(message: AgentMessage): message is ToolResultMessage {
  return message.role === "toolResult" && notesOf(message)["merged"] === true;
}

export function encode(unit: readonly AgentMessage[], _next?: AgentMessage, last?: JsonRecord): JsonRecord[] {
  const records: JsonRecord[] = [];
  let before = last ?? firstFields();
  for (let index = 0; index < unit.length; index++) {
    const message = unit[index];
    if (message === undefined) continue;
    if (message.role === "session" && last === undefined && index === 0) {
      before = firstFields(message);
      if (message.title === undefined) continue;
      records.push(titleOf(message, before));
    } else {
      const merged = mergedWith(message, unit, index + 1);
      records.push(...linesOf(message, merged, before));
      index += merged.length;
    }
    before = records.findLast(isLink) ?? before;
  }
  return records;
}

function mergedWith(first: AgentMessage, unit: readonly AgentMessage[], start: number): ToolResultMessage[] {
  const found: ToolResultMessage[] = [];
  if (first.role !== "toolResult") return found;
  for (let index = start; index < unit.length; index++) {
    const next = unit[index];
    if (next === undefined || !isMerged(next)) break;
    found.push(next);
  }
  return found;
}

function titleOf({ title, timestamp, id }: SessionMessage, last: JsonRecord): JsonRecord {
  const message: CustomMessage = {
    role: "custom",
    customType: "dragoman/meta",
    data: { title },
    timestamp,
    id: uuidFor(`title ${id ?? ""}`),
  };
  return titleLine(message, last) ?? {};
}

function linesOf(
  message: AgentMessage,
  merged: readonly ToolResultMessage[],
  last: JsonRecord,
): JsonRecord[] {
  if (notesOf(message)["carried"] === true) return [restoreLine(carriedLine(message, last), message)];
  if (message.role === "assistant") return answerLines(message, last);
  const ours = lineOf(message, merged, last) ?? carriedLine(message, last);
  return [restoreLine(ours, message)];
}

/** The line of a message other than an answer; undefined if Qwen Code has none for it. */
export function lineOf(
  message: AgentMessage,
  merged: readonly ToolResultMessage[],
  last: JsonRecord,
): JsonObject | undefined {
  switch (message.role) {
    case "user": {
      const parts = writeUserContent(message.content);
      return { ...frameOf(message, last, "user"), message: { role: "user", parts } };
    }
    case "toolResult":
      return resultLine([message, ...merged], last);
    case "compaction":
      return compressionLine(message, last);
    case "custom":
      return titleLine(message, last) ?? ownLine(message, last);
    default:
      return undefined;
  }
}

/** An answer is one line, unless it was read from several. */
function answerLines(message: AssistantMessage, last: JsonRecord): JsonRecord[] {
  const { counts, lines } = notesOf(message);
  const parts = writeAnswerContent(message);
  const sizes = Array.isArray(counts) ? counts.filter((size) => Number.isInteger(size) && size >= 0) : [];
  const [size = parts.length, ...others] = sizes;
  const first = restoreLine(
    answerLine(message, others.length === 0 ? parts : parts.slice(0, size), last),
    message,
  );
  let start = size;
  const later = others.map((count, index) => {
    const isLast = index === others.length - 1;
    const slice = parts.slice(start, isLast ? undefined : start + count);
    start += count;
    return restore(nextLine(first, slice), Array.isArray(lines) ? lines[index] : undefined);
  });
  return [first, ...later];
}

export function answerLine(
  message: AssistantMessage,
  parts: readonly unknown[],
  last: JsonRecord,
): JsonObject {
  return {
    ...frameOf(message, last, "assistant"),
    ...(isSynthesised(message, "/model") ? {} : { model: message.model }),
    message: { role: "model", parts },
    ...(isSynthesised(message, "/usage") ? {} : { usageMetadata: writeUsage(message.usage) }),
  };
}

/** A further line of an answer. */
export function nextLine(first: JsonRecord, parts: readonly unknown[]): JsonObject {
  return { ...first, message: { role: "model", parts } };
}

/** The first message on a line has the line's parent, and the last one its id. */
export function resultLine(results: readonly ToolResultMessage[], last: JsonRecord): JsonObject | undefined {
  const [first] = results;
  const own = results.at(-1);
  if (first === undefined || own === undefined) return undefined;
  const { id: _, ...parent } = first;
  const framed = own.id === undefined ? parent : { ...parent, id: own.id };
  const status = first.isError ? "error" : "success";
  return {
    ...frameOf(framed, last, "tool_result"),
    message: { role: "user", parts: results.flatMap(writeResponse) },
    ...(results.length > 1 ? {} : { toolCallResult: { callId: first.toolCallId, status } }),
  };
}

/**
 * A compression has the whole history that is left. A compaction that keeps earlier messages is carried instead, because
 * these are unknown here; Qwen Code then sends the whole history.
 */
function compressionLine(message: CompactionMessage, last: JsonRecord): JsonObject | undefined {
  const { firstKeptId, keptIds, replacement, tokensBefore = 0, summary, verbatim, details } = message;
  if (firstKeptId !== undefined || keptIds !== undefined) return undefined;
  const shown = carriedOver({ compaction: message, index: 0, firstKept: 0 }, []);
  const history = replacement ?? (shown.summary === undefined ? [] : [shown.summary]);
  const isOwn =
    replacement !== undefined && summary === "" && verbatim === undefined && details === undefined;
  return {
    ...frameOf(message, last, "system"),
    subtype: COMPRESSION,
    systemPayload: {
      info: { originalTokenCount: tokensBefore, newTokenCount: 0, compressionStatus: 1 },
      compressedHistory: writeHistory(history),
      ...(isOwn ? {} : { dragoman: compactionFields(message) }),
    },
  };
}

/** What a compression cannot state, kept in a field of ours. */
function compactionFields({ summary, verbatim, details, replacement }: CompactionMessage): JsonObject {
  return {
    summary,
    ...(verbatim === undefined ? {} : { verbatim }),
    ...(details === undefined ? {} : { details }),
    ...(replacement === undefined ? {} : { replaced: true }),
  };
}

/** A note that has only a title. */
function titleLine(message: CustomMessage, last: JsonRecord): JsonObject | undefined {
  const note = noteOf(message);
  if (note?.type !== "dragoman/meta" || note.data.title === undefined || message.content !== undefined)
    return undefined;
  if (!isObject(message.data) || Object.keys(message.data).length > 1) return undefined;
  const systemPayload = { customTitle: note.data.title, titleSource: "manual" };
  return { ...frameOf(message, last, "system"), subtype: TITLE, systemPayload };
}

/** A line of Qwen Code's own. */
function ownLine(message: CustomMessage, last: JsonRecord): JsonObject | undefined {
  const { customType, data = {}, content } = message;
  const subtype = customType.slice(PREFIX.length);
  if (!customType.startsWith(PREFIX) || subtype === "" || content !== undefined) return undefined;
  if (!isObject(data) || Object.keys(data).some((key) => FRAME.has(key))) return undefined;
  return { ...frameOf(message, last, "system"), subtype, ...data };
}

/** A message without a line of its own is carried by a system line, which keeps the tree connected. */
export function carriedLine(message: AgentMessage, last: JsonRecord): JsonObject {
  const { id: _id, parentId: _parent, timestamp: _time, ext, ...carried } = message;
  const others = othersIn(ext);
  const systemPayload = { message: others === undefined ? carried : { ...carried, ext: others } };
  return { ...frameOf(message, last, "system"), subtype: CARRIED, systemPayload };
}
