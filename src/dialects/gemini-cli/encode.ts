import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { noteOf } from "../../core/message/notes.js";
import { restore } from "../../core/records/deviation.js";
import type {
  AgentMessage,
  CustomMessage,
  ToolCall,
  ToolResultMessage,
  UserMessage,
} from "../../core/types.js";
import { answerRecord, callsById, echoRecord } from "./encode-answer.js";
import { frameOf, headerOf } from "./frame.js";
import { notesOf, otherLines, othersIn, writeParts, writeResponse } from "./notes.js";
import { isDocument, isLink, kindOf, NAME } from "./wire.js";

const PREFIX = `${NAME}/`;

/** An answer and its results are a unit. A document is one, too. */
export function joinsMessage(_last: AgentMessage, next: AgentMessage, first: AgentMessage): boolean {
  if (first.role === "session") return notesOf(first)["document"] === true;
  if (isMerged(next)) return true;
  if (first.role !== "assistant" || next.role !== "toolResult") return false;
  return first.content.some((block) => block.type === "toolCall" && block.id === next.toolCallId);
}

export function encode(unit: readonly AgentMessage[], next?: AgentMessage, last?: JsonRecord): JsonRecord[] {
  const [first, ...others] = unit;
  if (first === undefined) return [headerOf(undefined, next)];
  if (first.role !== "session" || last !== undefined) return writeAll(unit, last);
  const ours = headerOf(first, others[0] ?? next);
  if (notesOf(first)["document"] === true) {
    const header = restore(ours, notesOf(first));
    return [{ ...header, messages: writeAll(others, header) }];
  }
  const header = withOthers(first, ours);
  return [...header, ...writeAll(others, header.at(-1))];
}

function writeAll(messages: readonly AgentMessage[], before: JsonRecord | undefined): JsonRecord[] {
  const records: JsonRecord[] = [];
  let last = before;
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (message === undefined) continue;
    const following = followers(message, messages, index + 1);
    const lines = linesOf(message, following, last);
    for (const line of lines) records.push(line);
    last = lines.findLast(isLink) ?? last ?? lines.at(-1);
    index += following.length;
  }
  return records;
}

/** The results that are written together with an answer, or with another result. */
function followers(
  first: AgentMessage,
  messages: readonly AgentMessage[],
  start: number,
): ToolResultMessage[] {
  const found: ToolResultMessage[] = [];
  if (first.role !== "assistant" && first.role !== "toolResult") return found;
  const calls = first.role === "assistant" ? callsById(first) : undefined;
  for (let index = start; index < messages.length; index++) {
    const next = messages[index];
    if (next?.role !== "toolResult") break;
    const isPart = calls === undefined ? isMerged(next) : isStored(next, calls);
    if (!isPart) break;
    found.push(next);
  }
  return found;
}

/** Whether a result has a place in the record of its call, which is then taken. */
function isStored(result: ToolResultMessage, open: ReadonlyMap<string, ToolCall[]>): boolean {
  if (isOnLine(result)) return false;
  return isObject(notesOf(result)["stored"]) || open.get(result.toolCallId)?.shift() !== undefined;
}

function isOnLine(message: ToolResultMessage): boolean {
  return notesOf(message)["line"] === true;
}

function isMerged(message: AgentMessage): boolean {
  const { merged, stored } = notesOf(message);
  return message.role === "toolResult" && (merged === true || isObject(stored));
}

function linesOf(
  message: AgentMessage,
  results: readonly ToolResultMessage[],
  last: JsonRecord | undefined,
): JsonRecord[] {
  if (notesOf(message)["carried"] === true) return [carriedRecord(message)];
  const ours = recordOf(message, results, last);
  return ours === undefined ? [carriedRecord(message)] : withOthers(message, ours, results);
}

/** The line of a message as it was, and the other lines of its unit. */
function withOthers(
  message: AgentMessage,
  ours: JsonObject,
  results: readonly ToolResultMessage[] = [],
): JsonRecord[] {
  const notes = notesOf(message);
  const main = restore(ours, notes);
  const lines = otherLines(notes).flatMap(({ version, set, echo, of }): JsonObject[] => {
    if (isObject(version)) return [restore(main, version)];
    if (isObject(set)) return [set];
    const copied = Array.isArray(of) ? of.flatMap((place) => results[place] ?? []) : results;
    return isObject(echo) && copied.length > 0 ? [restore(echoRecord(main, copied), echo)] : [];
  });
  const at = typeof notes["main"] === "number" ? notes["main"] : 0;
  return [...lines.slice(0, at), main, ...lines.slice(at)];
}

/** Undefined for messages that Gemini CLI has no line for. */
function recordOf(
  message: AgentMessage,
  results: readonly ToolResultMessage[],
  last: JsonRecord | undefined,
): JsonObject | undefined {
  switch (message.role) {
    case "user":
      return userRecord(message, last);
    case "assistant":
      return answerRecord(message, results, last);
    case "toolResult":
      return resultRecord([message, ...results], last);
    case "error":
      return { ...frameOf(message, last), type: "error", content: message.content };
    case "custom":
      return ownRecord(message, last);
    default:
      return undefined;
  }
}

export function userRecord(message: UserMessage, last: JsonRecord | undefined): JsonObject {
  const { content } = message;
  return { ...frameOf(message, last), type: "user", content: userContent(content, notesOf(message)) };
}

function userContent(content: UserMessage["content"], { shape }: JsonObject): unknown {
  if (typeof content === "string") return content;
  const parts = writeParts(content, false);
  return shape === "part" && parts.length === 1 ? parts[0] : parts;
}

/** Results that have no place in the record of a call. */
export function resultRecord(
  results: readonly ToolResultMessage[],
  last: JsonRecord | undefined,
): JsonObject | undefined {
  const [first] = results;
  if (first === undefined) return undefined;
  const content = results.flatMap(writeResponse);
  const { shape } = notesOf(first);
  const isPart = shape === "part" && content.length === 1;
  return { ...frameOf(first, last), type: "user", content: isPart ? content[0] : content };
}

/** A line of Gemini CLI's own, or a title. */
export function ownRecord(message: CustomMessage, last: JsonRecord | undefined): JsonObject | undefined {
  const { customType, data, content } = message;
  const note = noteOf(message);
  if (note?.type === "dragoman/meta" && isObject(data) && Object.keys(data).length === 1) {
    return note.data.title === undefined ? undefined : { $set: { summary: note.data.title } };
  }
  if (!customType.startsWith(PREFIX) || content !== undefined) return undefined;
  const type = customType.slice(PREFIX.length);
  if (!isObject(data)) return undefined;
  if (message.id === undefined && isLineType(type)) return isLineOf(type, data) ? data : undefined;
  const isRead = type === "user" || type === "gemini" || (type === "error" && isString(data["content"]));
  const isFree = ["id", "timestamp", "type", "$rewindTo"].every((key) => !Object.hasOwn(data, key));
  return isFree && !isRead && type !== "" ? { ...frameOf(message, last), type, ...data } : undefined;
}

type LineType = "header" | "set" | "line";

/** Whether messages of this type are lines without an id. */
function isLineType(type: string): type is LineType {
  return type === "header" || type === "set" || type === "line";
}

/** Whether a line is what its message states, and changes no message. */
function isLineOf(type: LineType, record: JsonRecord): boolean {
  const { $rewindTo: target, $set: set } = record;
  if (isString(target) || isDocument(record) || (isObject(set) && Array.isArray(set["messages"])))
    return false;
  const kind = kindOf(record);
  return kind === type || (type === "line" && (kind === "other" || kind === "carried"));
}

/** Gemini CLI ignores lines without an id. */
function carriedRecord(message: AgentMessage): JsonObject {
  const { ext, ...carried } = message;
  const others = othersIn(ext);
  return { dragoman: others === undefined ? carried : { ...carried, ext: others } };
}

/** Whether a message is carried unless its notes name another form. */
export function isCarriedByDefault(message: AgentMessage): boolean {
  return recordOf(message, [], undefined) === undefined;
}
