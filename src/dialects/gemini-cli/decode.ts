import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject, sameJson } from "../../core/json/value.js";
import { noteMessage } from "../../core/message/notes.js";
import { differencesOf } from "../../core/records/differences.js";
import { type ResponseGroup, responsesIn } from "../../core/records/google-parts.js";
import { unexpected } from "../../core/records/unexpected.js";
import type {
  AgentMessage,
  CustomMessage,
  ErrorMessage,
  SessionMessage,
  ToolResultMessage,
  UserMessage,
} from "../../core/types.js";
import { is } from "../../core/validate.js";
import { type Answer, readAnswer, type UnitLine } from "./decode-answer.js";
import { isCarriedByDefault, ownRecord, resultRecord, userRecord } from "./encode.js";
import { echoRecord } from "./encode-answer.js";
import { frameOf, headerOf, timeIn } from "./frame.js";
import { addNotes, extWith, type OtherLine, readResponse, readUserPart } from "./notes.js";
import { groupLines, isDocument, isPlainSet, isResultLine, kindOf, NAME } from "./wire.js";

export function decode(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[] {
  const lines = unit.map((record, index) => ({ record, at: `/${index}`, index }));
  return readGroups(groupLines(lines), last);
}

function readGroups(groups: readonly UnitLine[][], last: JsonRecord | undefined): Decoded[] {
  const decoded: Decoded[] = [];
  let before = last;
  for (const group of groups) {
    const [first] = group;
    if (first === undefined) continue;
    if (isDocument(first.record) && before === undefined) decoded.push(...readDocument(first));
    else decoded.push(...readGroup(first, group, before));
    before = group.at(-1)?.record;
  }
  return decoded;
}

/** A whole session in one record. */
function readDocument({ record, at, index }: UnitLine): Decoded[] {
  const { messages, ...header } = record;
  const lines = (Array.isArray(messages) ? messages : []).map((message: unknown, place): UnitLine => {
    if (isObject(message)) return { record: message, at: `${at}/messages/${place}`, index };
    throw unexpected(`${at}/messages/${place}`, "a message", message);
  });
  const session = readHeader([{ record: header, at, index }]);
  addNotes(session, { document: true });
  // Inside a document there are only messages; any other member is kept as it is.
  const groups = groupLines(lines);
  return [{ message: session, record: index }, ...readGroups(groups, header)];
}

function readGroup(first: UnitLine, group: readonly UnitLine[], before: JsonRecord | undefined): Decoded[] {
  const record = first.index;
  switch (kindOf(first.record)) {
    case "header":
      return [{ message: before === undefined ? readHeader(group) : readOwn("header", group), record }];
    case "message":
      return readMessages(first, group, before);
    case "set":
      return [{ message: readTitle(first.record) ?? readOwn("set", group), record }];
    case "carried":
      return [{ message: readCarried(first.record) ?? readOwn("line", group), record }];
    case "other":
      return [{ message: readOwn("line", group), record }];
  }
}

function readHeader(group: readonly UnitLine[]): SessionMessage {
  const { sessionId, startTime, summary } = group[0]?.record ?? {};
  const time = timeIn(startTime);
  const session: SessionMessage = {
    role: "session",
    ...(isString(sessionId) ? { id: sessionId } : {}),
    ...(isString(summary) ? { title: summary } : {}),
    timestamp: time ?? 0,
    ...extWith({}, time === undefined ? ["/timestamp"] : []),
  };
  return withLines(session, group, 0, headerOf(session));
}

/** The message with notes on its line and on the other lines of its group. */
function withLines<M extends AgentMessage>(
  message: M,
  group: readonly UnitLine[],
  main: number,
  ours: JsonObject,
  stored: readonly ToolResultMessage[] = [],
): M {
  const record = group[main]?.record ?? {};
  const others = group.filter((_, index) => index !== main);
  const lines = others.map(({ record: other }): OtherLine => {
    if (isPlainSet(other)) return { set: other };
    if (other["id"] === record["id"]) return { version: differencesOf(other, record) };
    return { echo: differencesOf(other, echoRecord(record, stored)) };
  });
  addNotes(message, {
    ...differencesOf(record, ours),
    ...(lines.length === 0 ? {} : { lines }),
    ...(main === 0 ? {} : { main }),
  });
  return message;
}

/** A line that is not a message. */
function readOwn(type: string, group: readonly UnitLine[]): AgentMessage {
  const data = group[0]?.record ?? {};
  const message: AgentMessage = {
    role: "custom",
    customType: `${NAME}/${type}`,
    data,
    timestamp: 0,
    ...extWith({}, ["/timestamp"]),
  };
  return withLines(message, group, 0, data);
}

function readTitle(record: JsonRecord): AgentMessage | undefined {
  const { $set: set } = record;
  const summary = isObject(set) ? set["summary"] : undefined;
  if (!isString(summary)) return undefined;
  const title = noteMessage({ type: "dragoman/meta", data: { title: summary } }, 0);
  const notes = differencesOf(record, ownRecord(title, undefined) ?? {});
  return { ...title, ...extWith(notes, ["/timestamp"]) };
}

/** A message that we wrote and Gemini CLI has no line for. */
function readCarried({ dragoman }: JsonRecord): AgentMessage | undefined {
  if (!isObject(dragoman) || !is("AgentMessage", dragoman) || dragoman.ext?.[NAME] !== undefined)
    return undefined;
  if (dragoman.ext !== undefined && Object.keys(dragoman.ext).length === 0) return undefined;
  if (isCarriedByDefault(dragoman)) return dragoman;
  return { ...dragoman, ...extWith({ carried: true }, [], dragoman.ext) };
}

/** A message in all its versions, and the copy of its results. */
function readMessages(first: UnitLine, group: readonly UnitLine[], before: JsonRecord | undefined): Decoded[] {
  const { end, main, answer } = extentOf(first, group, before);
  const own = group.slice(0, end);
  const line = group[main] ?? first;
  const record = first.index;
  const rest = groupLines(group.slice(end));
  if (answer !== undefined) {
    const { message, stored, ours } = answer;
    withLines(message, own, main, ours, stored);
    const after = readGroups(rest, own.at(-1)?.record);
    markLines(answer, after);
    const messages = [message, ...stored].map((one) => ({ message: one, record }));
    return [...messages, ...after];
  }
  const messages = readLine(line, own, main, before);
  return [...messages.map((message) => ({ message, record })), ...readGroups(rest, own.at(-1)?.record)];
}

interface Extent {
  end: number;
  main: number;
  answer: Answer | undefined;
}

/** The last version of the message, and where its lines end: at a line with results that are not a copy. */
function extentOf(first: UnitLine, group: readonly UnitLine[], before: JsonRecord | undefined): Extent {
  let end = group.length;
  for (;;) {
    const { id } = first.record;
    const main = group.slice(0, end).findLastIndex(({ record }) => record["id"] === id);
    const line = group[main];
    const isAnswer = line?.record["type"] === "gemini";
    const answer = line !== undefined && isAnswer ? readAnswer(line, before) : undefined;
    const cut = group
      .slice(0, end)
      .findIndex(({ record }) => isResultLine(record) && record["id"] !== id && !isCopy(record, line?.record));
    if (cut < 0) return { end, main, answer };
    end = cut;
  }
}

/** Whether every response of a line is also in the record of its call. */
function isCopy({ content }: JsonRecord, answer: JsonRecord | undefined): boolean {
  const calls = answer?.["toolCalls"];
  if (answer?.["type"] !== "gemini" || !Array.isArray(calls)) return false;
  const stored = calls.flatMap((call: unknown) => (isObject(call) ? (responsesIn(call["result"]) ?? []) : []));
  const isStored = ({ response }: ResponseGroup) => stored.some((one) => sameJson(one.response, response));
  return responsesIn(content)?.every(isStored) === true;
}

/** Marks results that are on a line although the record of their call has place for them. */
function markLines({ message, stored }: Answer, after: readonly Decoded[]): void {
  const open = message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
  for (const { toolCallId } of stored) {
    const at = open.indexOf(toolCallId);
    if (at >= 0) open.splice(at, 1);
  }
  const [first] = after;
  for (const { message: result, record } of after) {
    if (result.role !== "toolResult" || record !== first?.record) return;
    if (open.includes(result.toolCallId)) addNotes(result, { line: true });
  }
}

function readLine(
  line: UnitLine,
  group: readonly UnitLine[],
  main: number,
  before: JsonRecord | undefined,
): AgentMessage[] {
  const { record, at } = line;
  const { id, timestamp, type, content, ...others } = record;
  if (!isString(type) || type === "") throw unexpected(`${at}/type`, "the type of a message", type);
  const time = timeIn(timestamp);
  const base = { ...(isString(id) ? { id } : {}), timestamp: time ?? 0 };
  const synthesised = time === undefined ? ["/timestamp"] : [];
  const marked = { ...base, ...extWith({}, synthesised) };
  if (type === "user") {
    const groups = responsesIn(content);
    const messages: (UserMessage | ToolResultMessage)[] =
      groups === undefined ? [readUser(line, marked)] : readResults(groups, content, marked);
    const [first] = messages;
    if (first === undefined) return [];
    const ours = first.role === "user" ? userRecord(first, before) : resultRecord(messages.filter(isResult), before);
    withLines(first, group, main, ours ?? {});
    return messages;
  }
  if (type === "error" && isString(content)) {
    const error: ErrorMessage = { role: "error", content, ...marked };
    return [withLines(error, group, main, { ...frameOf(error, before), type, content })];
  }
  const data = { ...(content === undefined ? {} : { content }), ...others };
  const own: CustomMessage = { role: "custom", customType: `${NAME}/${type}`, data, ...marked };
  return [withLines(own, group, main, ownRecord(own, before) ?? {})];
}

function isResult(message: AgentMessage): message is ToolResultMessage {
  return message.role === "toolResult";
}

type Base = Pick<UserMessage, "id" | "timestamp" | "ext">;

function readUser({ record, at }: UnitLine, base: Base): UserMessage {
  const { content } = record;
  if (isString(content)) return { role: "user", content, ...base };
  if (!Array.isArray(content) && !isObject(content)) {
    throw unexpected(`${at}/content`, "text or a list of parts", content);
  }
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  const message: UserMessage = { role: "user", content: parts.map(readUserPart), ...base };
  if (!Array.isArray(content)) addNotes(message, { shape: "part" });
  return message;
}

/** The results on a line. The first has the line's id. */
function readResults(groups: readonly ResponseGroup[], content: unknown, base: Base): ToolResultMessage[] {
  return groups.map((group, index) => {
    const { ext, ...read } = readResponse(group);
    const { id, timestamp } = base;
    const message: ToolResultMessage = {
      role: "toolResult",
      ...read,
      timestamp,
      ...(index > 0 || id === undefined ? {} : { id }),
      ...extWith({}, [...(base.ext?.synthesised ?? []), ...(read.toolCallId === "" ? ["/toolCallId"] : [])], ext),
    };
    if (index > 0) addNotes(message, { merged: true });
    else if (!Array.isArray(content)) addNotes(message, { shape: "part" });
    return message;
  });
}
